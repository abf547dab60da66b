// The rules of chat messages: length, characters, rate, and mute. One value per player; its
// http_player owns it, one thread.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"
#include "hub/base/token_bucket.hpp"

#include <optional>
#include <string_view>

namespace gamehub::gateways::http {

inline constexpr base::request_rate chat_rate{limits::http_chat_each, limits::http_chat_burst};

// Returns why a message is not acceptable, or nothing. A message is one non-blank line without
// control characters and without characters that imitate another line.
std::optional<error> check_message(std::string_view message);

class chat_history {
 public:
  // Counts a message; returns why it is refused, or nothing.
  std::optional<error> check_and_add(std::string_view message, bool muted, base::instant now);

 private:
  base::token_bucket bucket_;
};

}  // namespace gamehub::gateways::http
