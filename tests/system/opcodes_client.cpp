#include "tests/system/opcodes_client.hpp"

#include <algorithm>

namespace gamehub::tests::system {

namespace {

// The most bytes of text of an ERROR.
constexpr std::size_t text_bytes_max = 255;

int number(const std::string& two_bytes) {
  return static_cast<unsigned char>(two_bytes[0]) * 256 + static_cast<unsigned char>(two_bytes[1]);
}

}  // namespace

std::string opcodes_client::next() {
  const auto opcode = socket_.read(2);
  if (!opcode)
    return socket_.unread().empty() ? socket_.state_text() : "half a packet: " + socket_.unread();
  switch (number(*opcode)) {
    case 3: {
      const auto body = socket_.read(cells_ + 1);
      if (!body) return "half a STATE";
      return "STATE " + body->substr(0, cells_) + " " + body->back();
    }
    case 4: {
      const auto body = socket_.read(1);
      return body ? "ACK " + *body : "half an ACK";
    }
    case 5: return next_error();
    default: return "opcode " + std::to_string(number(*opcode));
  }
}

std::string opcodes_client::next_error() {
  const auto code = socket_.read(2);
  if (!code) return "half an ERROR";
  error_text_.clear();
  for (;;) {
    const auto byte = socket_.read(1);
    if (!byte) return "an ERROR without end";
    if (byte->front() == '\0') break;
    error_text_ += *byte;
  }
  const auto printable = std::all_of(error_text_.begin(), error_text_.end(),
                                     [](char c) { return c >= ' ' && c < '\x7f'; });
  const auto good = printable && !error_text_.empty() && error_text_.size() <= text_bytes_max;
  return "ERROR " + std::to_string(number(*code)) + (good ? "" : " with a bad text");
}

}  // namespace gamehub::tests::system
