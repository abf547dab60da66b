// RegistrationService.Register: how a bot says that it is there, and what it is answered. Reads the
// body of POST /rpc and writes the body of the answer. Plain values and functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace gamehub::gateways::bots {

// What a bot says of itself. Within its bounds, but for the game and the URL, which are only short.
struct registration {
  std::string token;
  std::string name, version;
  std::string game;  // as the wire has it: TICTACTOE
  std::string endpoint;
  std::string language, website, description;
};

// A request that can be answered. `id` is as it was spelled, or null.
struct register_request {
  std::string id = "null";
  // Or what is wrong with its parameters: a sentence.
  std::variant<registration, std::string> what;
};

// What is no request of this service: the answer has status 400.
struct bad_rpc {
  std::string id = "null";
  std::string why;
};

std::variant<register_request, bad_rpc> read_register(std::string_view body);

// Bots in the field read `error` as a string or null.
std::string accepted_answer(std::string_view id, std::string_view message);
std::string refused_answer(std::string_view id, std::string_view why);

std::string greeting(const registration&, std::string_view game_title);

}  // namespace gamehub::gateways::jsonrpc
