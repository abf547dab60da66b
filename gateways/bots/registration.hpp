// RegistrationService.Register: parses the body of POST /rpc, and formats the body of its response.
// Plain values and functions, any thread.
#pragma once

#include "hub/core/bot_record.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace gamehub::gateways::bots {

// The parameters of a registration, within their bounds. The URL is only checked for its length,
// and the engine is not known yet.
struct bot_registration : bot_profile {
  std::string token = {};
  std::string game = {};  // as the protocol names it: TICTACTOE
};

// A valid request. `id` is its JSON text, or null.
struct register_request {
  std::string id = "null";
  // The parameters, or an error text.
  std::variant<bot_registration, std::string> what;
};

// An invalid request: the response has the status 400.
struct bad_rpc {
  std::string id = "null";
  std::string why;
};

// Parses the body of a request.
std::variant<register_request, bad_rpc> read_register(std::string_view body);

// Return the body of a response. `error` is a string or null, because existing bots expect that.
std::string accepted_answer(std::string_view id, std::string_view message);
std::string refused_answer(std::string_view id, std::string_view why);

// Returns the greeting of a successful registration.
std::string greeting(const bot_profile&, std::string_view game_title);

}  // namespace gamehub::gateways::bots
