// Runs: tournaments that somebody asks for, and what came of them. Plain values; their owner sees
// to threads.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/arena/elo.hpp"
#include "hub/arena/fixture.hpp"

namespace gamehub::arena {

enum class run_format : std::uint8_t {
  round_robin,  // each against each
  gauntlet,     // the first against each
};
std::string_view to_string(run_format);
std::optional<run_format> run_format_of(std::string_view);

enum class run_state : std::uint8_t { active, done, cancelled };
std::string_view to_string(run_state);

struct run {
  run_id id;
  std::string engine;
  run_format format = run_format::round_robin;
  std::uint32_t games = 2;  // of each pair
  std::vector<bot_id> bots;
  // A bot that is away for longer loses what it has yet to play.
  std::chrono::seconds patience{60};
  run_state state = run_state::active;
  wall_time made_at{};
};

inline constexpr std::size_t run_bots_max = 64;
inline constexpr std::size_t run_games_max = 20'000;
// At once, and those that are over and can still be looked at.
inline constexpr std::size_t runs_active_max = 8;
inline constexpr std::size_t runs_kept = 24;
static_assert(runs_kept > runs_active_max);

// The games in their order: round after round, so that all bots are about as far; each pair changes
// seats from game to game.
std::vector<std::array<bot_id, 2>> plan(const run&);

struct standing {
  bot_id who;
  std::uint64_t games = 0, wins = 0, draws = 0, losses = 0;
  std::array<std::uint64_t, loss_reason_count> lost_by{};
  gamehub::arena::elo elo;
  double points() const { return static_cast<double>(wins) + static_cast<double>(draws) / 2; }
};

// Of the first against the second.
struct head_to_head {
  std::array<bot_id, 2> bots;
  std::uint64_t wins = 0, draws = 0, losses = 0;
};

struct standings {
  gamehub::arena::run run;
  std::uint64_t games = 0, ended = 0, without_result = 0;
  std::vector<standing> table;  // the best first
  std::vector<head_to_head> met;
};

class tournament_table {
 public:
  // `fixtures` are all of them; those of no run do not matter.
  void load(std::vector<run>, const std::vector<fixture>& fixtures);

  // Numbers it and keeps it. Returns those that were dropped for it, which are long over.
  std::vector<run_id> add(run&, std::uint64_t games);

  // A fixture of the run has ended. Returns the run if it was the last.
  const run* count(const fixture&);
  const run* cancel(run_id, std::uint64_t withdrawn);

  std::size_t active_count() const;
  std::vector<run> all() const;
  const run* find(run_id) const;
  std::optional<standings> standings_of(run_id) const;

 private:
  struct tally {
    std::uint64_t wins = 0, draws = 0, losses = 0;  // of the first
  };
  struct entry {
    gamehub::arena::run run;
    std::uint64_t games = 0, ended = 0, without_result = 0;
    std::map<std::array<bot_id, 2>, tally> by_seats;
    std::map<bot_id, std::array<std::uint64_t, loss_reason_count>> lost_by;
  };
  static void take(entry&, const fixture&);

  std::map<run_id, entry> runs_;
  std::uint64_t last_ = 0;
};

}  // namespace gamehub::arena
