// The frames of a WebSocket: takes whole messages out of a client's bytes, and writes those of the
// hub. Plain values and functions; a codec owns a reader, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gateways/inbox.hpp"

namespace gamehub::gateways::ws {

// Why a connection ends, as its last frame says.
enum class close_code : std::uint16_t {
  done = 1000,
  going_away = 1001,
  protocol_error = 1002,
  not_text = 1003,
  bad_utf8 = 1007,
  policy = 1008,
  too_long = 1009,
  failed = 1011,
  try_later = 1013,
};

class frame_reader {
 public:
  enum class found : std::uint8_t { nothing, text, ping, close, wrong };

  // The bytes must stay valid until keep_rest().
  void receive(std::string_view bytes) {
    if (!ended_) inbox_.receive(bytes);
  }

  // The next thing the client said. After close and wrong there is nothing more.
  found next();

  // Of text the message, of a ping what it carries; the caller may take it.
  std::string& payload() { return payload_; }
  // What is wrong.
  close_code mistake() const { return mistake_; }

  // Nothing more is taken.
  void stop() {
    ended_ = true;
    inbox_.skip(inbox_.unread().size());
    std::string{}.swap(message_);
    std::string{}.swap(payload_);
  }

  void keep_rest() { inbox_.keep_rest(); }
  std::size_t kept_bytes() const { return inbox_.kept_bytes() + message_.size() + payload_.size(); }

 private:
  struct frame {
    bool last = false;
    std::uint8_t opcode = 0;
    std::string_view masked;
    std::string_view mask;
    std::size_t size = 0;  // with its header
  };

  // Nothing: it is not there whole, or mistake_ is set.
  std::optional<frame> read_frame();
  found take(const frame&);
  found take_message();
  found fail(close_code);
  std::nullopt_t refuse(close_code);

  inbox inbox_;
  std::string message_;  // of several frames, as far as it has come
  std::string payload_;
  bool in_message_ = false;
  bool ended_ = false;
  bool wrong_ = false;
  close_code mistake_ = close_code::protocol_error;
};

void append_text(std::string_view message, std::string& out);
void append_pong(std::string_view payload, std::string& out);
void append_close(close_code, std::string& out);

}  // namespace gamehub::gateways::ws
