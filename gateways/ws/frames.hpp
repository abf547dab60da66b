// WebSocket frames (RFC 6455, section 5): extracts whole messages from a client's bytes, and
// formats the hub's frames. Plain values and functions; a codec owns a frame_reader, one thread.
#pragma once

#include "hub/base/inbox.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::gateways::ws {

// The status of a close frame (RFC 6455, section 7.4.1).
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
  enum class frame_result : std::uint8_t { nothing, text, ping, close, wrong };

  // Takes bytes from the client. They must stay valid until keep_rest().
  void receive(std::string_view bytes) {
    if (!ended_) inbox_.receive(bytes);
  }

  // Returns the next message or control frame. After `close` and `wrong` it returns `nothing`.
  frame_result next();

  // The text of a message or the payload of a ping, until the next call. The caller may change it.
  std::string& payload() { return payload_; }
  // The close code of the violation. Requires: next() returned `wrong`.
  close_code mistake() const { return mistake_; }

  // Discards all input from now on.
  void stop() {
    ended_ = true;
    inbox_.skip(inbox_.unread().size());
    std::string{}.swap(message_);
    std::string{}.swap(payload_);
  }

  // Copies the bytes that next() has not consumed.
  void keep_rest() { inbox_.keep_rest(); }
  std::size_t kept_bytes() const { return inbox_.kept_bytes() + message_.size() + payload_.size(); }

 private:
  struct frame {
    bool last = false;
    std::uint8_t opcode = 0;
    std::string_view masked;
    std::string_view mask;
    std::size_t size = 0;  // including the header
  };

  // Returns nothing if the frame is incomplete or invalid; in the second case wrong_ is set.
  std::optional<frame> read_frame();
  frame_result take(const frame&);
  frame_result take_message();
  frame_result fail(close_code);
  std::nullopt_t refuse(close_code);

  base::inbox inbox_;
  std::string message_;  // the frames of an unfinished message
  std::string payload_;
  bool in_message_ = false;
  bool ended_ = false;
  bool wrong_ = false;
  close_code mistake_ = close_code::protocol_error;
};

// Append one frame to `out`.
void append_text(std::string_view message, std::string& out);
void append_pong(std::string_view payload, std::string& out);
// Requires: the reason has at most 123 bytes.
void append_close(close_code, std::string_view reason, std::string& out);

}  // namespace gamehub::gateways::ws
