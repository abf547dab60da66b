// Framing: splits received bytes into lines. A codec owns it; one thread at a time. A line is a
// view that stays valid until the next call.
#pragma once

#include "hub/base/inbox.hpp"
#include "hub/core/limits.hpp"

#include <cstddef>
#include <string_view>

namespace gamehub::gateways::turns {

class lines {
 public:
  // The result of next(): no complete line, a line, or a line above the limit.
  enum class line_result { nothing, line, too_long };

  // Takes bytes from the client. They must stay valid until keep_rest().
  void receive(std::string_view bytes) { inbox_.receive(bytes); }

  // Reads the next line, without its line feed. A carriage return before it is white space to JSON.
  line_result next(std::string_view& line) {
    const auto unread = inbox_.unread();
    const auto end = unread.find('\n', searched_);
    const auto length = end == unread.npos ? unread.size() : end;
    if (length > limits::line_bytes_max) return line_result::too_long;
    if (end == unread.npos) {
      searched_ = length;
      return line_result::nothing;
    }
    searched_ = 0;
    line = unread.substr(0, length);
    inbox_.skip(length + 1);
    return line_result::line;
  }

  // Discards all unread bytes.
  void drop_all() {
    inbox_.skip(inbox_.unread().size());
    searched_ = 0;
  }

  // Copies the bytes that next() has not consumed.
  void keep_rest() { inbox_.keep_rest(); }
  std::size_t kept_bytes() const { return inbox_.kept_bytes(); }

 private:
  base::inbox inbox_;
  // The length of the unfinished line that was already searched for a line feed, so that a line
  // which arrives byte by byte is searched only once.
  std::size_t searched_ = 0;
};

}  // namespace gamehub::gateways::turns
