// What a failed call of a bot is as an error of the bot, with a sentence for its author. Plain
// functions, any thread.
#pragma once

#include "gateways/bots/bot_limits.hpp"
#include "gateways/http_client/outcome.hpp"
#include "hub/core/bot_record.hpp"

#include <optional>
#include <string>

namespace gamehub::gateways::bots {

using call_outcome = http_client::outcome;

// The limits of a bot's reply.
inline constexpr http_client::response_limits answer_limits{
    limits::bot_header_bytes_max, limits::bot_body_bytes_max, limits::bot_answer_bytes_max};

// Returns the sentence that says why there is no response.
std::string sentence_of(const http_client::failure&);

// Return the error of a call that its outcome, status or encoding shows, if there is one. A ping
// requires the status 200, and its body is ignored.
std::optional<bot_error> error_of(const call_outcome&);
std::optional<bot_error> error_of_ping(const call_outcome&);

}  // namespace gamehub::gateways::bots
