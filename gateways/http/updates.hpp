// The updates of one game as values and as text. Numbered updates are the public form of the game's
// log; a guest's presence has no number and is published live only. Plain values, any thread.
#pragma once

#include "gateways/http/player_symbols.hpp"
#include "hub/base/time.hpp"
#include "hub/core/game_update.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::gateways::http {

// The mark of a guest, in place of a seat's mark.
inline constexpr player_symbol guest_mark = 'G';
// The mark of a draw, in place of the winner's mark.
inline constexpr player_symbol draw_mark = 'D';

// The player to move or the winner. Neither is set after a game without a winner.
struct turn_or_winner {
  player_symbol turn = {};
  player_symbol winner = {};
};

// The game starts, or it has changed other than by a public move: by chance, or by a choice that is
// hidden for now.
struct status_update {
  std::string board;
  turn_or_winner then;
  std::string player_x, player_o;
  std::string view;  // as in `moved`
};
struct joined {
  std::string name;
  player_symbol player = guest_mark;
};
struct left {
  std::string name;
  player_symbol player = guest_mark;
};
struct moved {
  std::string board;
  player_symbol player = 'X';
  std::optional<std::int64_t> position;  // none: the move is not a cell
  turn_or_winner then;
  std::string action;  // text of a move that is not a cell
  std::string view;    // the engine's JSON document of a game without a board
};
struct chat_message {
  std::string name;
  std::string message;
};
struct game_ended {
  std::string reason;
};

struct update {
  std::uint64_t number = 0;  // for presence: the number of the last update before it
  base::wall_time at{};
  std::variant<status_update, joined, left, moved, chat_message, game_ended> what;
};

// Returns the board in this protocol's form, in which a blank is '_'.
std::string board_of(std::string_view cells);

// Returns the update as one JSON object without a line feed.
std::string to_json(const update&);

// Returns the update as a line of a stream, or the body of a long poll.
std::string to_line(const update&);

// Returns the update as a server-sent event.
std::string to_event(const update&);

// Keep-alive output of an idle stream.
inline constexpr std::string_view line_heartbeat = "\n";
inline constexpr std::string_view event_heartbeat = ":\n\n";

inline constexpr std::string_view line_content_type = "application/x-ndjson";
inline constexpr std::string_view event_content_type = "text/event-stream";

// Returns the reason "NAME quit the game".
std::string quit_reason(std::string_view name);

// Converts a record of a game's log, in its public form, to an update of this protocol.
update update_of(const game_update&);

// Returns the reason why a game ended, as text for people. Requires: the update ends the game.
std::string end_reason_of(const game_update&);

// Returns the player to move, or the winner.
turn_or_winner turn_or_winner_of(const public_position&);

}  // namespace gamehub::gateways::http
