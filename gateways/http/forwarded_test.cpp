#include "gateways/http/forwarded.hpp"

#include "gateways/http/http_limits.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::gateways;
using namespace gamehub::gateways::http;

namespace {

const std::vector<base::network> proxies{*base::read_network("10.0.0.0/8"),
                                         *base::read_network("fd00::/8"),
                                         *base::read_network("127.0.0.1")};

struct origin_text {
  std::string remote = "10.0.0.1";
  std::string list;       // X-Forwarded-For
  std::string forwarded;  // as the RFC has it
};

// Returns the address, and "direct" or "by proxy".
std::string origin(const origin_text& c) {
  request r;
  r.remote = *base::read_address(c.remote);
  r.remote.port = 4711;
  r.forwarded_for = c.list;
  r.forwarded = c.forwarded;
  const auto o = origin_of(r, proxies);
  CHECK(o.address.port == 0);
  return base::to_text(o.address) + (o.direct ? " direct" : " by proxy");
}

std::string by_list(const std::string& text) { return origin({"10.0.0.1", text, ""}); }
std::string by_rfc(const std::string& text) { return origin({"10.0.0.1", "", text}); }

}  // namespace

TEST_CASE("http origin: ignores the fields of a client that is no trusted proxy") {
  CHECK(origin({"203.0.113.5", "", ""}) == "203.0.113.5 direct");
  CHECK(origin({"203.0.113.5", "1.1.1.1", "for=2.2.2.2"}) == "203.0.113.5 direct");
  CHECK(origin({"10.0.0.1", "", ""}) == "10.0.0.1 direct");
}

TEST_CASE("http origin: is the right-most address that is no trusted proxy") {
  CHECK(by_list("198.51.100.7") == "198.51.100.7 by proxy");
  CHECK(by_list("1.1.1.1, 198.51.100.7") == "198.51.100.7 by proxy");
  CHECK(by_list("1.1.1.1, 198.51.100.7, 10.2.2.2,fd00::7") == "198.51.100.7 by proxy");
  CHECK(by_list("10.9.9.9, 10.2.2.2") == "10.9.9.9 by proxy");
  CHECK(by_rfc("for=198.51.100.7") == "198.51.100.7 by proxy");
  CHECK(by_rfc("for=1.1.1.1;proto=http, For=198.51.100.7;by=10.0.0.1, FOR=\"10.2.2.2:80\"") ==
        "198.51.100.7 by proxy");
}

TEST_CASE("http origin: reads addresses with ports and brackets") {
  for (const auto* text :
       {"198.51.100.7:80", " 198.51.100.7 ", "::ffff:198.51.100.7", "[::ffff:198.51.100.7]:1"})
    CHECK(by_list(text) == "198.51.100.7 by proxy");
  for (const auto* text : {"2001:db8::9", "[2001:db8::9]", "[2001:db8::9]:65535"})
    CHECK(by_list(text) == "2001:db8::9 by proxy");
  for (const auto* text : {"for=\"[2001:db8::9]:4711\"", "for=\"[2001:db8::9]\"",
                           "for=[2001:db8::9]:4711", "for=\"2001:db8\\::9\"", "for=\"2001:db8::9\"",
                           "host=\"a,for=1.1.1.1\";for=\"[2001:db8::9]\";;proto=https"})
    CHECK(by_rfc(text) == "2001:db8::9 by proxy");
}

TEST_CASE("http origin: the search ends at a hidden, unknown or malformed entry") {
  for (const auto* text : {"unknown", "1.1.1.1, unknown", "1.1.1.1, _hidden", "1.1.1.1, 300.1.1.1",
                           "1.1.1.1, 2.2.2.2:99999", "1.1.1.1, 2.2.2.2:", "1.1.1.1, [2.2.2.2]",
                           "1.1.1.1, [::1", "1.1.1.1, 2.2.2.2 3.3.3.3", "1.1.1.1, \"2.2.2.2\"",
                           "1.1.1.1, fe80::1%25eth0", "1.1.1.1, [::1]x", ",", "1.1.1.1;2.2.2.2"})
    CHECK(by_list(text) == "10.0.0.1 by proxy");
  CHECK(by_list("1.1.1.1, unknown, 10.7.7.7") == "10.7.7.7 by proxy");
  for (const auto* text : {"for=unknown", "for=1.1.1.1, for=_gazonk", "for=1.1.1.1, proto=http",
                           "for=1.1.1.1, for=\"\""})
    CHECK(by_rfc(text) == "10.0.0.1 by proxy");
}

TEST_CASE("http origin: ignores a malformed field") {
  for (const auto* text :
       {"for", "for=", "for=\"1.1.1.1", "for=\"1.1.1.1\\", "=1.1.1.1", "for=1.1.1.1 for=2.2.2.2",
        "for=1.1.1.1;for=2.2.2.2", "for = 1.1.1.1", "for=1.1.1.1,for=\"2.2.2.2", "for=1.1.1.1}",
        "for=1.1.1.1, {}", "for=\x80"})
    CHECK(by_rfc(text) == "10.0.0.1 by proxy");
}

TEST_CASE("http origin: ignores fields that differ, and never becomes loopback") {
  CHECK(origin({"10.0.0.1", "198.51.100.7", "for=198.51.100.7"}) == "198.51.100.7 by proxy");
  CHECK(origin({"10.0.0.1", "198.51.100.7", "for=1.1.1.1"}) == "10.0.0.1 by proxy");
  CHECK(origin({"127.0.0.1", "198.51.100.7", "for=1.1.1.1"}) == "127.0.0.1 by proxy");
  CHECK(origin({"127.0.0.1", "127.0.0.1", ""}) == "127.0.0.1 by proxy");
  CHECK(origin({"127.0.0.1", "198.51.100.7", "for="}) == "127.0.0.1 by proxy");
}

TEST_CASE("http origin: only the last few hops are followed") {
  std::string hops = "198.51.100.7";
  for (std::size_t i = 0; i < limits::http_hops_max - 1; ++i) hops += ", 10.3.3.3";
  CHECK(by_list(hops) == "198.51.100.7 by proxy");
  CHECK(by_list(hops + ",10.3.3.3") == "10.3.3.3 by proxy");
  std::string many;
  for (int i = 0; i < 4'000; ++i) many += ",";
  CHECK(by_list(many + "198.51.100.7") == "198.51.100.7 by proxy");
  CHECK(by_rfc(many + "for=198.51.100.7") == "198.51.100.7 by proxy");
}

TEST_CASE("http origin: ignores entries that a client prepends") {
  // The proxy appends the address that it sees.
  for (const auto* forged : {"", "127.0.0.1, ", "unknown, ", "\"", "10.0.0.1, 10.0.0.2, ", ", ,",
                             "for=1.1.1.1, ", "[::1]:80, ", "\\, "}) {
    const std::string front = forged;
    const bool one_element = front == "\"";
    if (!one_element) CHECK(by_list(front + "198.51.100.7") == "198.51.100.7 by proxy");
    CHECK(by_list(front + ", 198.51.100.7") == "198.51.100.7 by proxy");
  }
}
