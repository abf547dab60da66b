// Framing: cuts what a client sent into lines. Owned by a codec; one thread at a time. A line is a
// view that stays good until the next call.
#pragma once

#include <cstddef>
#include <string_view>

#include "gateways/inbox.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::gateways::turns {

class lines {
 public:
  enum class found { nothing, line, too_long };

  void receive(std::string_view bytes) { inbox_.receive(bytes); }

  // Without its line feed; a carriage return before it is a blank to JSON.
  found next(std::string_view& line) {
    const auto unread = inbox_.unread();
    const auto end = unread.find('\n', searched_);
    const auto length = end == unread.npos ? unread.size() : end;
    if (length > limits::line_bytes_max) return found::too_long;
    if (end == unread.npos) {
      searched_ = length;
      return found::nothing;
    }
    searched_ = 0;
    line = unread.substr(0, length);
    inbox_.skip(length + 1);
    return found::line;
  }

  void drop_all() {
    inbox_.skip(inbox_.unread().size());
    searched_ = 0;
  }

  void keep_rest() { inbox_.keep_rest(); }
  std::size_t kept_bytes() const { return inbox_.kept_bytes(); }

 private:
  inbox inbox_;
  // Bytes of the unfinished line that hold no line feed, so that a line that comes byte by byte is
  // not searched from its beginning each time.
  std::size_t searched_ = 0;
};

}  // namespace gamehub::gateways::turns
