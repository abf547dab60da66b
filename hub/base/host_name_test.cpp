#include "hub/base/host_name.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <vector>

namespace gamehub::base {
namespace {

const std::vector<std::string> none;

TEST_CASE("host_name: an address and localhost are the hub's own, with a port or without") {
  for (const auto* host :
       {"127.0.0.1", "127.0.0.1:8080", "10.0.0.7:9464", "203.0.113.9:1", "[::1]", "[::1]:8080",
        "[2001:db8::7]:65535", "[::ffff:127.0.0.1]", "localhost", "localhost:8080", "LOCALHOST",
        "Localhost:80", "localhost.", "localhost.:8080", "hub.localhost", "a.b.localhost:9464",
        "hub.LocalHost."}) {
    INFO(host);
    CHECK(is_own_host(host, none));
  }
}

TEST_CASE("host_name: every other host is foreign without a list") {
  for (const auto* host : {"rebind.evil.example",
                           "rebind.evil.example:8080",
                           "hub",
                           "gamehub-admin.games.svc",
                           "127.0.0.1.evil.example",
                           "localhost.evil.example",
                           "evillocalhost",
                           "1",
                           "127.1",
                           "0x7f.0.0.1",
                           "2130706433",
                           "127.0.0.1.",
                           "127.0.0.256",
                           "",
                           " ",
                           ":8080",
                           ".",
                           "..",
                           ".localhost",
                           "..localhost",
                           "a..localhost",
                           "localhost..",
                           "::1",
                           "::1:8080",
                           "[]",
                           "[127.0.0.1]",
                           "[::1",
                           "[::1]x",
                           "[::1]8080",
                           "[fe80::1%eth0]",
                           "[::g]"}) {
    INFO(host);
    CHECK_FALSE(is_own_host(host, none));
  }
}

TEST_CASE("host_name: a host with user information or an impossible port is foreign") {
  const std::vector<std::string> list{"games.example"};
  for (const std::string host : {"127.0.0.1", "localhost", "[::1]", "games.example"}) {
    INFO(host);
    CHECK(is_own_host(host + ":65535", list));
    for (const auto* port :
         {":", ":0", ":65536", ":99999", ":008080", ":+80", ":-1", ":80 ", ": 80", ":80:80", ":a"})
      CHECK_FALSE(is_own_host(host + port, list));
    for (const auto* before : {"evil@", "evil:x@", "http://", "/", " "})
      CHECK_FALSE(is_own_host(before + host, list));
    for (const auto* after :
         {"@evil.example", "/", "/evil.example", ",evil.example", "?", "#", " "})
      CHECK_FALSE(is_own_host(host + after, list));
  }
  CHECK_FALSE(is_own_host("evil@a.localhost", none));
  CHECK_FALSE(is_own_host(std::string{"local\0host", 10}, none));
  CHECK_FALSE(is_own_host(std::string(254, 'a') + ".localhost", none));
}

TEST_CASE("host_name: names of the list are the hub's own") {
  const std::vector<std::string> list{"games.example", "Hub_1"};
  for (const auto* host : {"games.example", "GAMES.Example:443", "games.example.", "hub_1:8080"}) {
    INFO(host);
    CHECK(is_own_host(host, list));
  }
  for (const auto* host : {"www.games.example", "games.exampl", "xgames.example", "example",
                           "games.example..", "games.example.evil.example"}) {
    INFO(host);
    CHECK_FALSE(is_own_host(host, list));
  }
}

TEST_CASE("host_name: a pattern with a dot at the beginning has all names below it") {
  const std::vector<std::string> list{".pods.games.svc"};
  for (const auto* host : {"pods.games.svc", "hub-0.pods.games.svc:9464", "a.b.Pods.games.svc."}) {
    INFO(host);
    CHECK(is_own_host(host, list));
  }
  for (const auto* host : {"games.svc", "xpods.games.svc", ".pods.games.svc", "pods.games.svc.x"}) {
    INFO(host);
    CHECK_FALSE(is_own_host(host, list));
  }
}

TEST_CASE("host_name: a pattern is a name, without port, address brackets or wildcard") {
  for (const auto* text : {"games.example", "hub", "Hub_1-2.games.svc", ".games.svc"}) {
    INFO(text);
    CHECK(is_host_pattern(text));
  }
  for (const auto* text : {"", ".", "..", "games.example.", "..games", "a..b", "games.example:80",
                           "[::1]", "*.games.svc", "http://games", "a b", "g\xC3\xA4mes", "a/b"}) {
    INFO(text);
    CHECK_FALSE(is_host_pattern(text));
  }
  CHECK_FALSE(is_host_pattern(std::string(254, 'a')));
}

TEST_CASE("host_name: the field of a request has the host with its port") {
  CHECK(host_field("127.0.0.1", 9464) == "127.0.0.1:9464");
  CHECK(host_field("games.example", 80) == "games.example:80");
  CHECK(host_field("::1", 9464) == "[::1]:9464");
  CHECK(is_own_host(host_field("::1", 9464), none));
}

}  // namespace
}  // namespace gamehub::base
