// A scheduled match of two bots, from the schedule to its result. The gateway of bots opens it, the
// league stores it. Plain values; any thread.
#pragma once

#include "hub/core/bot_record.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub {

using match_id = id<struct scheduled_match_tag>;
using run_id = id<struct run_tag>;

// How the loser lost.
enum class loss_reason : std::uint8_t {
  rules,    // by the rules of the game
  timeout,  // ran out of time
  forfeit,  // sent an invalid move, was unreachable, or left
  absent,   // was offline for its match of a tournament
};
inline constexpr int loss_reason_count = 4;
// Returns the word of the reason, as pages and metrics use it.
std::string_view to_string(loss_reason);

enum class match_state : std::uint8_t { waiting, running, ended };

struct match_result {
  std::optional<seat_index> winner;  // none: a draw
  loss_reason how = loss_reason::rules;
};

struct scheduled_match {
  match_id id;
  run_id run;  // none: outside of tournaments
  std::string engine;
  std::array<bot_id, 2> bots;           // by seat: X, then O
  std::array<std::string, 2> versions;  // unless it is waiting
  match_state state = match_state::waiting;
  game_id game;                     // the latest game that was opened for it
  std::uint32_t openings = 0;       // how often a game was opened
  base::wall_time at{};             // when it entered this state
  std::optional<match_result> got;  // after the end; none: it ended without a result
};

}  // namespace gamehub
