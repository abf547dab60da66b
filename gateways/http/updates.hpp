// The updates of one game: what they say as values, and how they are written. Those with a number
// are the public form of the game's log; presence of guests has none and is only told live. Plain
// values, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "hub/core/time.hpp"

namespace gamehub::gateways::http {

// Who does something: the mark of a seat, or a guest.
inline constexpr char guest_mark = 'G';
// In the place of a winner.
inline constexpr char draw_mark = 'D';

// Who moves next or, in its place, who has won. Neither: nobody moves, and nobody won.
struct turn_or_winner {
  char turn = '\0';
  char winner = '\0';
};

// The game begins, or something has happened that is no player's own doing: chance, or a choice
// that is hidden for now.
struct status_update {
  std::string board;
  turn_or_winner then;
  std::string player_x, player_o;
  std::string view;  // as of moved
};
struct came {
  std::string name;
  char player = guest_mark;
};
struct went {
  std::string name;
  char player = guest_mark;
};
struct moved {
  std::string board;
  char player = 'X';
  std::optional<std::int64_t> position;  // none: the move has no place on the board
  turn_or_winner then;
  std::string action;  // such a move in the engine's own words
  std::string view;    // where there is no board: the engine's own JSON; empty: none
};
struct said {
  std::string name;
  std::string message;
};
struct game_ended {
  std::string reason;
};

struct update {
  std::uint64_t number = 0;  // of presence: the number of the last update before it
  wall_time at{};
  std::variant<status_update, came, went, moved, said, game_ended> what;
};

// Blanks are '_' on this wire: the board of a position's cells.
std::string board_of(std::string_view cells);

// 2011-06-05T06:26:27.088000, always UTC, always six digits.
std::string iso_time(wall_time);

// One JSON object, without a line's end.
std::string to_json(const update&);

// As a stream of lines has it, and a long poll as its whole body.
std::string to_line(const update&);

// As a server-sent event.
std::string to_event(const update&);

// What keeps a quiet stream open.
inline constexpr std::string_view line_heartbeat = "\n";
inline constexpr std::string_view event_heartbeat = ":\n\n";

inline constexpr std::string_view line_content_type = "application/x-ndjson";
inline constexpr std::string_view event_content_type = "text/event-stream";

// Why a game ended, for people.
std::string quit_reason(std::string_view name);

}  // namespace gamehub::gateways::http
