// A scheduled match of two bots, from the schedule to its result. Plain values; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"
#include "hub/league/bot.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::league {

using fixture_id = id<struct fixture_tag>;
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

enum class fixture_state : std::uint8_t { waiting, running, ended };

struct result {
  std::optional<seat_index> winner;  // none: a draw
  loss_reason how = loss_reason::rules;
};

struct scheduled_match {
  fixture_id id;
  run_id run;  // none: outside of tournaments
  std::string engine;
  std::array<bot_id, 2> bots;           // by seat: X, then O
  std::array<std::string, 2> versions;  // unless it is waiting
  fixture_state state = fixture_state::waiting;
  game_id game;                // the latest game that was opened for it
  std::uint32_t openings = 0;  // how often a game was opened
  base::wall_time at{};        // when it entered this state
  std::optional<result> got;   // after the end; none: it ended without a result
};

// A match to begin now.
struct pairing {
  fixture_id id;
  std::string engine;
  std::array<bot_id, 2> bots;  // by seat
};

// How a game of the hub ended.
struct match_end {
  end_reason why = end_reason::rules;
  std::optional<seat_index> winner;
};

// Returns true if a game that ended for this reason has a result.
bool has_result(end_reason);

// The outcome of a game that was opened before the hub stopped.
struct match_outcome {
  bool runs = false;
  std::optional<match_end> ended;  // absent, and not running: the journal does not have the game
};

// A game of two bots in the journal.
struct journal_game {
  game_id id;
  std::array<std::string, 2> names;  // by seat
  base::wall_time opened{};
  match_outcome outcome;
};

}  // namespace gamehub::league
