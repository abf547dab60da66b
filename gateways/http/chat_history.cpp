#include "gateways/http/chat_history.hpp"

#include "gateways/http/http_limits.hpp"
#include "hub/base/utf8.hpp"

namespace gamehub::gateways::http {
namespace {

bool shows_nothing(std::string_view message) {
  return base::utf8::all_of(message, [](char32_t c) {
    return c == ' ' || c == 0xA0 || c == 0x3000 || c == 0xFEFF || (c >= 0x2000 && c <= 0x200D);
  });
}

error muted_error() {
  auto e = bad_request("an operator has muted you");
  e.status = 403;
  return e;
}

}  // namespace

std::optional<error> check_message(std::string_view message) {
  if (message.size() > limits::http_chat_bytes_max)
    return bad_request("message is longer than " + std::to_string(limits::http_chat_bytes_max) +
                       " bytes");
  if (!base::utf8::all_of(message, [](char32_t c) {
        return !base::utf8::is_control(c) && !base::utf8::is_disguise(c);
      }))
    return bad_request("message has a character that is no part of a line of text");
  if (shows_nothing(message)) return bad_request("message is missing");
  return std::nullopt;
}

std::optional<error> chat_history::check_and_add(std::string_view message, bool muted,
                                                 base::instant now) {
  if (muted) return muted_error();
  if (auto wrong = check_message(message)) return wrong;
  const auto wait = bucket_.take(chat_rate, now);
  if (!wait) return std::nullopt;
  error e;
  e.code = error_code::too_many_requests;
  e.message = "you say too much at once";
  e.retry_after = base::retry_after(*wait);
  return e;
}

}  // namespace gamehub::gateways::http
