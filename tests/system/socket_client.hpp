// A client of a WebSocket, by RFC 6455: what it sends, and the frames that come. One thread.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::tests::system {

inline const std::string handshake =
    "GET /api/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: keep-alive, "
    "Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

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

  // The next frame: its text, or "close 1000"; "end" after the last.
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
    const auto payload = size == 0 ? std::optional{std::string{}} : http_.socket().read(size);
    if (!payload) return "end";
    switch (static_cast<unsigned char>((*head)[0])) {
      case 0x81: return *payload;
      case 0x8A: return "pong " + *payload;
      case 0x88:
        return "close " +
               std::to_string(static_cast<unsigned char>((*payload)[0]) * 256 +
                              static_cast<unsigned char>((*payload)[1])) +
               (payload->size() > 2 ? " " : "") + payload->substr(2);
      default: return "what";
    }
  }
  // The next message of this type, or payload of one.
  nlohmann::json next(const std::string& type) {
    for (auto text = next(); text.starts_with("{"); text = next()) {
      auto said = nlohmann::json::parse(text);
      if (said["type"] == type) return said;
      if (said["type"] != "message") continue;
      if (auto inside = nlohmann::json::parse(said["payload"].get<std::string>());
          inside["type"] == type)
        return inside;
    }
    return nullptr;
  }

  tcp_client& socket() { return http_.socket(); }

 private:
  api_client http_;
};

}  // namespace gamehub::tests::system
