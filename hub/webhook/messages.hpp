// What the hub sends to a webhook: the JSON of its events and of the challenge, the bytes of the
// request, and the answer that proves that the receiver wants the calls. Plain functions, any
// thread.
#pragma once

#include "gateways/bots/url.hpp"
#include "hub/core/absence_listener.hpp"

#include <string>
#include <string_view>

namespace gamehub::webhook {

// Return the body of an event.
std::string turn_body(const absent_turn&);
std::string end_body(const lasting_end&);

// Returns the body of a challenge with this random text.
std::string challenge_body(std::string_view challenge);
// Returns what the receiver has to answer: the HMAC-SHA-256, in hexadecimal, of "challenge.", which
// begins no signature, and the random text. Only who knows the secret can answer, so a stranger's
// server that repeats what it receives does not.
std::string challenge_answer(std::string_view secret, std::string_view challenge);
// True if the body is a JSON object whose member `answer` is that one.
bool is_answer(std::string_view body, std::string_view secret, std::string_view challenge);

// Returns the bytes of a request with the field Gamehub-Signature, as calls of bots have it.
std::string request_bytes(const gateways::bots::bot_url&, std::string_view secret, base::wall_time,
                          std::string_view body);

}  // namespace gamehub::webhook
