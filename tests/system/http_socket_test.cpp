// JSON turns over a WebSocket: the handshake, whole games, and what ends one.
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/socket_client.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

using namespace std::string_literals;

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

std::string connect_as(const std::string& name) {
  return json{
      {"type", "connect"}, {"name", name}, {"supported_games", {"tictactoe"}}, {"max_games", 1}}
      .dump();
}

TEST_CASE("http socket: a browser plays a client of HTTP to the end") {
  hub at;
  socket_client browser{at.http(), socket_client::frame(0x81, connect_as("browser"))};
  CHECK(browser.next("name")["name"] == "browser");
  at.await_waiting("tictactoe", 1);
  api_player other{at.http(), "curl"};
  CHECK(other.play()["opponent_name"] == "browser");
  REQUIRE(browser.next("turn").is_object());
  const auto move = [&](int row, int column) {
    browser.say(turns_client::message(0, turns_client::move_payload(row, column)));
  };
  move(0, 0);
  REQUIRE(browser.next("state").is_object());
  for (const int cell : {3, 4}) {
    REQUIRE(other.move(cell).status == 200);
    REQUIRE(browser.next("turn").is_object());
    move(0, cell - 2);
    REQUIRE(browser.next("state").is_object());
  }
  CHECK(browser.next("close").is_object());
  browser.send(socket_client::frame(0x89, "there?"));
  CHECK(browser.next() == "pong there?");
  browser.send(socket_client::frame(0x88, "\x03\xe8"));
  CHECK(browser.next() == "close 1000");
  CHECK(browser.next() == "end");
  at.await_count("gamehub_moves_total", {{"gateway", "ws"}, {"outcome", "accepted"}}, 3);
  // The handshake is not counted as a client that left (clients 9).
  const auto closed = [&](const std::string& reason) {
    return at.count("gamehub_connections_closed_total", {{"gateway", "http"}, {"reason", reason}});
  };
  CHECK(closed("upgraded") == 1);
  CHECK(closed("client-left") == 0);
}

TEST_CASE("http socket: a player comes back with its secret") {
  hub at{{"--ws-grace-seconds", "60"}};
  turns_client waiting{at.turns()};
  std::string secret;
  {
    socket_client first{at.http()};
    first.say(connect_as("ann"));
    secret = first.next("name")["secret"].get<std::string>();
    at.await_waiting("tictactoe", 1);
    waiting.connect("bob");
    REQUIRE(first.next("turn").is_object());
    first.socket().abort();
  }
  socket_client again{at.http()};
  again.say(json{{"type", "connect"}, {"resume", secret}, {"max_games", 0}}.dump());
  CHECK(again.next("name")["name"] == "ann");
  CHECK(again.next("start").is_object());
  again.say(turns_client::message(0, turns_client::move_payload(1, 1)));
  CHECK(again.next("state").is_object());
  again.send(socket_client::frame(0x88, "\x03\xe8"));
}

TEST_CASE("http socket: pages of another site may neither play nor open a WebSocket") {
  hub at;
  const auto status = [&](const std::string& method, const std::string& target,
                          const std::string& origin) {
    api_client client{at.http()};
    const auto more = origin.empty() ? ""s : "Origin: " + origin + "\r\n";
    if (method == "POST") return client.post(target, "", more).status;
    return client
        .get(target,
             more +
                 "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                 "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n")
        .status;
  };
  for (const auto* origin : {"null", "https://evil.example"}) {
    CHECK(status("POST", "/api/connect", origin) == 403);
    CHECK(status("GET", "/api/ws", origin) == 403);
  }
  CHECK(status("POST", "/api/connect", "http://localhost") == 200);
  CHECK(status("POST", "/api/connect", "") == 200);
  CHECK(status("GET", "/api/engines", "https://evil.example") == 200);
}

TEST_CASE("http socket: what is no WebSocket is told, and what it says wrong ends it") {
  hub at;
  api_client plain{at.http()};
  const auto refused = plain.get("/api/ws");
  CHECK(refused.status == 426);
  CHECK(refused.fields.at("sec-websocket-version") == "13");
  const std::string fields = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  CHECK(plain.get("/api/ws", fields + "Connection: Upgrade\r\n").status == 400);
  const auto key = fields + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  CHECK(plain.get("/api/ws", key).status == 426);
  CHECK(plain.get("/api/ws", key + "Connection: keep-alive\r\n").status == 426);
  api_client old{at.http()};
  old.send("GET /api/ws HTTP/1.0\r\nConnection: Upgrade\r\n" + key + "\r\n");
  CHECK(old.answer().value().status == 426);
  CHECK(plain.get("/api/engines").status == 200);
  socket_client rude{at.http()};
  rude.send("\x81\x02{}"s);
  CHECK(rude.next() == R"({"type":"close","error":"malformed"})");
  CHECK(rude.next() == "close 1002 malformed");
  socket_client odd{at.http()};
  odd.say("no JSON");
  CHECK(odd.next() == R"({"type":"close","error":"malformed"})");
  CHECK(odd.next() == "close 1008 malformed");
  check_others_play(at);
}

TEST_CASE("http socket: a handshake sent during a long poll is followed by its frames") {
  hub at;
  http_table t{at};
  t.begin();
  socket_client browser{
      at.http(), {}, "GET " + t.path + "?cursor=3 HTTP/1.1\r\nHost: localhost\r\n\r\n", [&] {
        t.play(0, 1);
      }};
  browser.say(connect_as("browser"));
  CHECK(browser.next("name")["name"] == "browser");
  t.x.post("/api/quit");
}

TEST_CASE("http socket: start and close have the members of JSON turns") {
  hub at;
  socket_client browser{at.http(), socket_client::frame(0x81, connect_as("browser"))};
  REQUIRE(browser.next("name").is_object());
  at.await_waiting("tictactoe", 1);
  turns_client other{at.turns()};
  other.connect("bob");
  for (const auto* said : {"name bob", "start 0"}) REQUIRE(other.next() == said);
  const auto start = browser.next("start");
  CHECK(start["seat"] == 0);
  CHECK(start["mark"] == "X");
  CHECK(start["players"] == json{"browser", "bob"});
  other.say(R"({"type":"close","game_id":0})");
  const auto close = browser.next("close");
  CHECK(close["winner"] == "X");
  CHECK(close["reason"] == "left");
}

TEST_CASE("http socket: each close of the hub has its word as the reason") {
  hub at{{"--handshake-seconds", "1", "--idle-seconds", "1", "--ws-grace-seconds", "60"}};
  socket_client silent{at.http()};
  CHECK(silent.next() == R"({"type":"close","error":"handshake-timeout"})");
  CHECK(silent.next() == "close 1008 handshake-timeout");
  const json idle_line{{"type", "connect"}, {"name", "idle"}, {"max_games", 0}};
  socket_client idle{at.http()};
  idle.say(idle_line.dump());
  REQUIRE(idle.next("name").is_object());
  CHECK(idle.next() == R"({"type":"close","error":"idle"})");
  CHECK(idle.next() == "close 1008 idle");
  socket_client first{at.http()};
  first.say(connect_as("ann"));
  const auto secret = first.next("name")["secret"].get<std::string>();
  socket_client second{at.http()};
  second.say(json{{"type", "connect"}, {"resume", secret}}.dump());
  CHECK(first.next() == R"({"type":"close","error":"replaced"})");
  CHECK(first.next() == "close 1008 replaced");
}

TEST_CASE("http socket: nothing but refused moves is slowed down") {
  hub at;
  socket_client browser{at.http(), socket_client::frame(0x81, connect_as("browser"))};
  REQUIRE(browser.next("name").is_object());
  at.await_waiting("tictactoe", 1);
  turns_client other{at.turns()};
  other.connect("bob");
  REQUIRE(browser.next("turn").is_object());
  for (int i = 0; i <= limits::refusals_in_row_max; ++i) {
    browser.say(turns_client::message(0, "7"));
    const auto said = browser.next("repeat-turn");
    REQUIRE(said.is_object());
    REQUIRE(said.contains("slowed") == (i == limits::refusals_in_row_max));
  }
  at.await_count("gamehub_connections_slowed_total", {{"gateway", "ws"}}, 1);
}

TEST_CASE("http socket: a hub that goes down says so") {
  hub at;
  socket_client browser{at.http()};
  browser.say(connect_as("browser"));
  REQUIRE(browser.next("name").is_object());
  at.process().signal(SIGTERM);
  // Its seek may be refused first.
  const std::string refused = R"({"type":"name","name":"browser","error":"draining"})";
  const std::string first = browser.next();
  CHECK((first == refused ? browser.next() : first) == R"({"type":"close","error":"draining"})");
  CHECK(browser.next() == "close 1001 draining");
  CHECK(at.wait() == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
