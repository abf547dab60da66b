// Requests for a host that is not the hub's, as a page sends them whose DNS name was changed to
// lead to this machine, and requests of a proxy that the hub was not told of.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/runbook.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

const std::string foreign_host = "rebind.evil.example";

// A request with these fields alone, on its own connection.
api_answer ask_host(std::uint16_t port, const std::string& line, const std::string& fields) {
  api_client client{port};
  client.send(line + "\r\n" + fields + "\r\n");
  return client.answer().value();
}

api_answer ask_for(std::uint16_t port, const std::string& host,
                   const std::string& line = "GET /api/engines HTTP/1.1") {
  return ask_host(port, line, "Host: " + host + "\r\n");
}

TEST_CASE("hosts: the admin server answers no request for a foreign host") {
  hub at{{"--admin-host", "hub.games.svc,.pods.games.svc"}};
  for (const auto* page : {"/arena", "/metrics", "/status.json", "/healthz"}) {
    INFO(page);
    const auto line = "GET " + std::string{page} + " HTTP/1.1";
    const auto refused = ask_for(at.admin(), foreign_host, line);
    CHECK(refused.status == 421);
    CHECK(refused.body.find("--admin-host") != refused.body.npos);
    const auto port = std::to_string(at.admin());
    for (const auto& own : {"127.0.0.1:" + port, "localhost:" + port, "10.9.8.7:" + port,
                            "hub.games.svc:" + port, "gamehub-0.pods.games.svc:" + port})
      CHECK(ask_for(at.admin(), own, line).status == 200);
  }
  CHECK(ask_for(at.admin(), foreign_host, "POST /drain HTTP/1.1").status == 421);
  CHECK(ask_host(at.admin(), "GET /readyz HTTP/1.0", "Connection: keep-alive\r\n").status == 200);
  CHECK(at.get("/readyz").status == 200);
}

TEST_CASE("hosts: a port of HTTP on loopback answers no request for a foreign host") {
  hub at;
  for (const auto* line : {"GET / HTTP/1.1", "GET /api/engines HTTP/1.1", "GET /api/games HTTP/1.1",
                           "GET /api/updates/1 HTTP/1.1", "POST /api/play HTTP/1.1",
                           "POST /rpc HTTP/1.1", "GET /nothing HTTP/1.1"}) {
    INFO(line);
    const auto refused =
        ask_host(at.http(), line, "Host: " + foreign_host + ":8080\r\nContent-Length: 0\r\n");
    CHECK(refused.status == 421);
    CHECK(refused.code() == 100);
    CHECK(refused.body.find("--http-host") != refused.body.npos);
    CHECK(refused.body.find("evil") == refused.body.npos);
  }
  const std::string upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const std::string socket = "GET /api/ws HTTP/1.1";
  CHECK(ask_host(at.http(), socket, "Host: " + foreign_host + "\r\n" + upgrade).status == 421);
  const auto port = ":" + std::to_string(at.http());
  for (const std::string own :
       {"127.0.0.1", "localhost", "LOCALHOST.", "play.localhost", "[::1]"}) {
    INFO(own);
    CHECK(ask_for(at.http(), own).status == 200);
    CHECK(ask_for(at.http(), own + port).status == 200);
  }
  CHECK(ask_host(at.http(), "GET /api/engines HTTP/1.0", "Connection: keep-alive\r\n").status ==
        200);
  api_client open{at.http()};
  open.send(socket + "\r\nHost: localhost\r\n" + upgrade + "\r\n");
  CHECK(open.socket().read_line() == "HTTP/1.1 101 Switching Protocols\r");
}

TEST_CASE("hosts: a port of HTTP on all addresses checks the Host only with a list") {
  {
    hub at{{"--listen", "0.0.0.0"}};
    CHECK(ask_for(at.http(), "games.example").status == 200);
    CHECK(ask_for(at.http(), foreign_host).status == 200);
  }
  hub at{{"--listen", "0.0.0.0", "--http-host", "games.example", "--http-host", "hub"}};
  for (const auto* own : {"games.example", "GAMES.example.:443", "hub:8080", "127.0.0.1"})
    CHECK(ask_for(at.http(), own).status == 200);
  for (const auto& other : {foreign_host, std::string{"www.games.example"}, foreign_host + ":443",
                            std::string{"games.example:99999"}})
    CHECK(ask_for(at.http(), other).status == 421);
}

TEST_CASE("hosts: a trusted proxy may name any host until there is a list") {
  const std::string fields = "X-Forwarded-For: 198.51.100.7\r\nHost: " + foreign_host + "\r\n";
  const std::string line = "GET /api/engines HTTP/1.1";
  {
    hub at{{"--http-trusted-proxy", "127.0.0.1"}};
    CHECK(ask_host(at.http(), line, fields).status == 200);
  }
  hub at{{"--http-trusted-proxy", "127.0.0.1", "--http-host", "games.example", "--public-url",
          "https://play.example/hub"}};
  CHECK(ask_host(at.http(), line, fields).status == 421);
  CHECK(ask_for(at.http(), "games.example").status == 200);
  CHECK(ask_for(at.http(), "play.example").status == 200);
}

TEST_CASE("hosts: a proxy on this machine that is not a trusted one is in the log, once") {
  const auto sentence = promised(
      "a proxy on this machine forwards requests, and --http-trusted-proxy does not name it");
  const auto lines_of = [&](std::vector<std::string> flags,
                            const std::vector<std::string>& fields) {
    hub at{std::move(flags)};
    for (int i = 0; i < 3; ++i)
      for (const auto& each : fields)
        CHECK(
            ask_host(at.http(), "GET /api/engines HTTP/1.1", "Host: localhost\r\n" + each + "\r\n")
                .status == 200);
    const auto log = at.process().errors();
    std::size_t found = 0;
    for (auto i = log.find(sentence); i != log.npos; i = log.find(sentence, i + 1)) ++found;
    if (found > 0) CHECK(log.find("warning " + sentence) != log.npos);
    return found;
  };
  const std::string forwarded = "Forwarded: for=198.51.100.7",
                    forwarded_for = "X-Forwarded-For: 198.51.100.7", via = "Via: 1.1 proxy";
  CHECK(lines_of({}, {"Accept: */*"}) == 0);
  for (const auto& each : {forwarded, forwarded_for, via}) {
    INFO(each);
    CHECK(lines_of({}, {each}) == 1);
  }
  CHECK(lines_of({"--limit-loopback"}, {forwarded, forwarded_for, via}) == 1);
  CHECK(lines_of({"--http-trusted-proxy", "127.0.0.1"}, {forwarded, forwarded_for, via}) == 0);
}

TEST_CASE("hosts: what a proxy on this machine forwards has the rate of an address (S20)") {
  constexpr int rate = 5, burst = 2 * rate, requests = 30;
  for (const std::string field : {"", "Forwarded: for=198.51.100.7\r\n",
                                  "X-Forwarded-For: 198.51.100.7\r\n", "Via: 1.1 proxy\r\n"}) {
    INFO(field);
    hub at{{"--http-address-rate", std::to_string(rate)}};
    const auto begin = std::chrono::steady_clock::now();
    int passed = 0;
    for (int i = 0; i < requests; ++i)
      passed +=
          ask_host(at.http(), "GET /api/engines HTTP/1.1", "Host: localhost\r\n" + field).status ==
                  200
              ? 1
              : 0;
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    if (field.empty())
      CHECK(passed == requests);
    else
      CHECK(passed <= burst + rate * time.count() + 1);
  }
}

}  // namespace
}  // namespace gamehub::tests::system
