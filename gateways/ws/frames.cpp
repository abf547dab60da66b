#include "gateways/ws/frames.hpp"

#include "hub/base/utf8.hpp"
#include "hub/core/limits.hpp"

#include <utility>

namespace gamehub::gateways::ws {
namespace {

constexpr std::uint8_t last_bit = 0x80, reserved_bits = 0x70, mask_bit = 0x80;
constexpr std::uint8_t continuation = 0x0, text = 0x1, binary = 0x2, close = 0x8, ping = 0x9,
                       pong = 0xA;
constexpr std::size_t control_bytes_max = 125;
constexpr std::size_t mask_bytes = 4;

std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

std::uint64_t number(std::string_view bytes) {
  std::uint64_t out = 0;
  for (const char c : bytes) out = out << 8 | static_cast<std::uint8_t>(c);
  return out;
}

void append_unmasked(std::string_view masked, std::string_view mask, std::string& out) {
  out += masked;
  char* const to = out.data() + out.size() - masked.size();
  for (std::size_t i = 0; i < masked.size(); ++i)
    to[i] = static_cast<char>(to[i] ^ mask[i % mask_bytes]);
}

void append_frame(std::uint8_t opcode, std::string_view payload, std::string& out) {
  const auto put = [&out](std::uint64_t value, int bytes) {
    while (bytes-- > 0) out += static_cast<char>(value >> (8 * bytes) & 0xFF);
  };
  put(last_bit | opcode, 1);
  if (payload.size() <= control_bytes_max) {
    put(payload.size(), 1);
  } else if (payload.size() <= 0xFFFF) {
    put(126, 1);
    put(payload.size(), 2);
  } else {
    put(127, 1);
    put(payload.size(), 8);
  }
  out += payload;
}

}  // namespace

frame_reader::frame_result frame_reader::next() {
  auto what = frame_result::nothing;
  payload_.clear();
  while (!ended_ && what == frame_result::nothing) {
    const auto f = read_frame();
    if (!f) break;
    what = take(*f);
    inbox_.skip(f->size);
  }
  if (wrong_ && !ended_) {
    ended_ = true;
    what = frame_result::wrong;
  }
  if (ended_) {
    inbox_.skip(inbox_.unread().size());
    std::string{}.swap(message_);
  }
  return what;
}

std::nullopt_t frame_reader::refuse(close_code why) {
  mistake_ = why;
  wrong_ = true;
  return std::nullopt;
}

std::optional<frame_reader::frame> frame_reader::read_frame() {
  const auto bytes = inbox_.unread();
  if (bytes.size() < 2) return std::nullopt;
  frame f;
  f.last = (byte_at(bytes, 0) & last_bit) != 0;
  f.opcode = byte_at(bytes, 0) & 0x0F;
  // No extension is negotiated, and a client must mask its frames (RFC 6455, sections 5.1 and 5.2).
  if ((byte_at(bytes, 0) & reserved_bits) != 0 || (byte_at(bytes, 1) & mask_bit) == 0)
    return refuse(close_code::protocol_error);
  const std::size_t short_size = byte_at(bytes, 1) & 0x7F;
  if (f.opcode >= close && (!f.last || short_size > control_bytes_max))
    return refuse(close_code::protocol_error);
  const std::size_t wide = short_size == 126 ? 2 : short_size == 127 ? 8 : 0;
  const auto head = 2 + wide + mask_bytes;
  if (bytes.size() < head) return std::nullopt;
  const auto size = wide == 0 ? short_size : number(bytes.substr(2, wide));
  if (size > limits::line_bytes_max || message_.size() + size > limits::line_bytes_max)
    return refuse(close_code::too_long);
  if (bytes.size() < head + size) return std::nullopt;
  f.mask = bytes.substr(2 + wide, mask_bytes);
  f.masked = bytes.substr(head, static_cast<std::size_t>(size));
  f.size = head + static_cast<std::size_t>(size);
  return f;
}

frame_reader::frame_result frame_reader::take(const frame& f) {
  switch (f.opcode) {
    case text:
    case continuation:
      if ((f.opcode == text) == in_message_) return fail(close_code::protocol_error);
      in_message_ = !f.last;
      append_unmasked(f.masked, f.mask, message_);
      return f.last ? take_message() : frame_result::nothing;
    case ping: append_unmasked(f.masked, f.mask, payload_); return frame_result::ping;
    case pong: return frame_result::nothing;
    case close: ended_ = true; return frame_result::close;
    case binary: return fail(close_code::not_text);
    default: return fail(close_code::protocol_error);
  }
}

frame_reader::frame_result frame_reader::take_message() {
  payload_.swap(message_);
  return base::utf8::valid(payload_) ? frame_result::text : fail(close_code::bad_utf8);
}

frame_reader::frame_result frame_reader::fail(close_code why) {
  mistake_ = why;
  ended_ = true;
  return frame_result::wrong;
}

void append_text(std::string_view message, std::string& out) { append_frame(text, message, out); }
void append_pong(std::string_view payload, std::string& out) { append_frame(pong, payload, out); }

void append_close(close_code why, std::string_view reason, std::string& out) {
  const auto code = static_cast<std::uint16_t>(why);
  std::string payload{static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
  payload += reason;
  append_frame(close, payload, out);
}

}  // namespace gamehub::gateways::ws
