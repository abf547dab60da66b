// What an operator may tell the hub beside ending games and draining it: read from a request, plain
// values. Called on the admin server's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "hub/core/ids.hpp"

namespace gamehub::app {

struct operator_command {
  enum class verb : std::uint8_t { list_games, list_sanctions, ban, unban, mute, unmute, say };

  verb what = verb::list_games;
  // Of ban and unban one of the two, of mute and unmute the name.
  std::string name, address;
  std::string reason;  // of ban and mute
  std::string text;    // of say
  // Of list_games.
  std::string engine, status;
  game_id before;
  std::size_t limit = 50;
};

// What came of it, as JSON.
struct command_answer {
  int status = 200;
  std::string json;
};

// What is wrong with a request: a sentence, its status, and of 405 the methods that there are.
struct command_mistake {
  int status = 400;
  std::string sentence;
  std::string_view allow = {};
};

// Whether the path is one of these.
bool is_command(std::string_view path);

// Requires: is_command(path).
std::variant<operator_command, command_mistake> read_command(std::string_view method,
                                                             std::string_view path,
                                                             std::string_view body);

}  // namespace gamehub::app
