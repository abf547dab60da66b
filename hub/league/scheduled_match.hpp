// A game that two bots shall play, from its place in the schedule to its result. Plain values, any
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/arena/bot.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"
#include "hub/core/time.hpp"

namespace gamehub::arena {

using fixture_id = id<struct fixture_tag>;
using run_id = id<struct run_tag>;

// How the loser lost.
enum class loss_reason : std::uint8_t {
  rules,    // beaten on the board
  timeout,  // was too slow
  forfeit,  // said what is no move, could not be reached, or left
  absent,   // did not come to its game of a run
};
inline constexpr int loss_reason_count = 4;
std::string_view to_string(loss_reason);

enum class fixture_state : std::uint8_t { waiting, running, ended };

struct result {
  std::optional<seat_index> winner;  // none: a draw
  loss_reason how = loss_reason::rules;
};

struct fixture {
  fixture_id id;
  run_id run;  // none: because the bots came online
  std::string engine;
  std::array<bot_id, 2> bots;           // by seat: X, then O
  std::array<std::string, 2> versions;  // of a game that is not waiting
  fixture_state state = fixture_state::waiting;
  game_id game;                // that it was opened as, last
  std::uint32_t openings = 0;  // how often it was
  wall_time at{};              // when it came into this state
  std::optional<gamehub::arena::result>
      got;  // of one that has ended; none: it ended without a result
};

// A game to be opened now.
struct pairing {
  fixture_id id;
  std::string engine;
  std::array<bot_id, 2> bots;  // by seat
};

// How a game of the hub's ended, in the hub's words.
struct ending {
  end_reason why = end_reason::rules;
  std::optional<seat_index> winner;
};

// Whether a game that ended so has a result: nobody is to blame for others.
bool has_result(end_reason);

// What became of a game that was opened before the hub went down.
struct match_outcome {
  bool runs = false;
  std::optional<ending> ended;  // neither: nobody knows that game
};

// A game that bots played or play, as the hub's journal knows it.
struct journal_game {
  game_id id;
  std::array<std::string, 2> names;  // by seat
  wall_time opened{};
  match_outcome outcome;
};

}  // namespace gamehub::arena
