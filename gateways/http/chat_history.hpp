// Whether a player may say something to its table: how long, of what characters, how often, and
// not at all where an operator has muted it. A plain value a player; its session owns it, one
// thread.
#pragma once

#include <optional>
#include <string_view>

#include "gateways/http/errors.hpp"
#include "gateways/http/token_bucket.hpp"

namespace gamehub::gateways::http {

inline constexpr request_rate chat_rate{limits::http_chat_each, limits::http_chat_burst};

// One line that says something: no controls, and nothing that makes it look like another's line.
std::optional<error> check_message(std::string_view message);

class chat_history {
 public:
  // Nothing: it may be said, and counts.
  std::optional<error> say(std::string_view message, bool muted, instant now);

 private:
  token_bucket bucket_;
};

}  // namespace gamehub::gateways::http
