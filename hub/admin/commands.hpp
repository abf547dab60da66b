// The operator's commands except "end a game" and "drain", parsed from HTTP requests. Plain values;
// called on the admin server's thread.
#pragma once

#include "hub/core/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::admin {

struct operator_command {
  enum class verb : std::uint8_t {
    list_games,
    show_game,
    list_players,
    list_sanctions,
    list_orders,
    ban,
    unban,
    mute,
    unmute,
    say,
    forget_bots,
  };

  verb what = verb::list_games;
  // Of ban and unban: one of the two. Of mute and unmute: the name.
  std::string name, address;
  std::string reason;  // of ban and mute
  std::string text;    // of say
  std::string owner;   // of forget_bots: this, or the name of a bot
  game_id game;        // of show_game
  // Of list_games.
  std::string engine, status;
  game_id before;
  std::size_t limit = 50;  // also of list_players
  player_id after;         // of list_players; `name` is a part of the name
  std::string path, body;  // of the request that it was, for other hubs
};

// The result of a command, as JSON.
struct command_answer {
  int status = 200;
  std::string json;
};

// An error of a request: status and sentence, and the allowed methods of status 405.
struct command_mistake {
  int status = 400;
  std::string sentence;
  std::string_view allow = {};
};

// Returns true if the path is one of a command; and if the command exists only in a hub with a
// token. Requires for the second: is_command(path).
bool is_command(std::string_view path);
bool is_only_with_token(std::string_view path);

// Parses a command. Requires: is_command(path).
std::variant<operator_command, command_mistake> read_command(std::string_view method,
                                                             std::string_view path,
                                                             std::string_view body);

}  // namespace gamehub::admin
