// JSON turns over a WebSocket: the handshake, whole games, and what ends one.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
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

const std::string handshake =
    "GET /api/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: keep-alive, "
    "Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

// A client of a WebSocket, by RFC 6455.
class socket_client {
 public:
  // Sends the bytes `before` the handshake, which get one answer after `action`, and `behind` it.
  explicit socket_client(std::uint16_t port, std::string_view behind = {},
                         const std::string& before = {}, const std::function<void()>& action = {})
      : http_(port) {
    http_.send(before + handshake + std::string{behind});
    if (action) {
      action();
      REQUIRE(http_.answer().value().status == 200);
    }
    std::string head;
    for (auto line = http_.socket().read_line(); line && *line != "\r";
         line = http_.socket().read_line())
      head += *line + "\n";
    REQUIRE(head.starts_with("HTTP/1.1 101 Switching Protocols\r\n"));
    // The example of the RFC.
    REQUIRE(head.find("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n") != head.npos);
  }

  void say(const std::string& text) { http_.send(frame(0x81, text)); }
  static std::string frame(unsigned char first, std::string_view payload) {
    std::string out(1, static_cast<char>(first));
    if (payload.size() < 126) {
      out += static_cast<char>(0x80 | payload.size());
    } else {
      out += static_cast<char>(0x80 | 126);
      out += static_cast<char>(payload.size() >> 8);
      out += static_cast<char>(payload.size() & 0xFF);
    }
    const std::string mask = "mask";
    out += mask;
    for (std::size_t i = 0; i < payload.size(); ++i)
      out += static_cast<char>(payload[i] ^ mask[i % mask.size()]);
    return out;
  }
  void send(std::string_view bytes) { http_.send(bytes); }

  // The next frame: its text, or "close 1000"; "end" if there is none.
  std::string next() {
    const auto head = http_.socket().read(2);
    if (!head) return "end";
    std::size_t size = static_cast<unsigned char>((*head)[1]);
    if (size == 126) {
      const auto wide = http_.socket().read(2);
      if (!wide) return "end";
      size = static_cast<std::size_t>(static_cast<unsigned char>((*wide)[0])) << 8 |
             static_cast<unsigned char>((*wide)[1]);
    }
    const auto payload = size == 0 ? std::optional{""s} : http_.socket().read(size);
    if (!payload) return "end";
    switch (static_cast<unsigned char>((*head)[0])) {
      case 0x81: return *payload;
      case 0x8A: return "pong " + *payload;
      case 0x88:
        return "close " + std::to_string(static_cast<unsigned char>((*payload)[0]) * 256 +
                                         static_cast<unsigned char>((*payload)[1]));
      default: return "what";
    }
  }
  // The next message of this type, or payload of one.
  json next(const std::string& type) {
    for (auto text = next(); text.starts_with("{"); text = next()) {
      auto said = json::parse(text);
      if (said["type"] == type) return said;
      if (said["type"] != "message") continue;
      if (auto inside = json::parse(said["payload"].get<std::string>()); inside["type"] == type)
        return inside;
    }
    return nullptr;
  }

  tcp_client& socket() { return http_.socket(); }

 private:
  api_client http_;
};

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
  CHECK(rude.next() == "close 1002");
  socket_client odd{at.http()};
  odd.say("no JSON");
  CHECK(odd.next() == "close 1008");
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

TEST_CASE("http socket: a hub that goes down says so") {
  hub at;
  socket_client browser{at.http()};
  browser.say(connect_as("browser"));
  REQUIRE(browser.next("name").is_object());
  at.process().signal(SIGTERM);
  CHECK(browser.next() == "close 1001");
  CHECK(at.wait() == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
