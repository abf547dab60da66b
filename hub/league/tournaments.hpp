// Tournaments ("runs" in the admin API) and their standings. Plain values; the league locks them.
#pragma once

#include "hub/core/scheduled_match.hpp"
#include "hub/league/elo.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::league {

enum class run_format : std::uint8_t {
  round_robin,  // each bot against each
  gauntlet,     // the first bot against each
};
// Return the word of a format or a state, and the format of a word.
std::string_view to_string(run_format);
std::optional<run_format> run_format_of(std::string_view);

enum class run_state : std::uint8_t { active, done, cancelled };
std::string_view to_string(run_state);

struct tournament {
  run_id id;
  std::string engine;
  run_format format = run_format::round_robin;
  std::uint32_t games = 2;  // of each pair
  std::vector<bot_id> bots;
  // A bot that is offline for longer loses its remaining matches.
  std::chrono::seconds patience{60};
  run_state state = run_state::active;
  base::wall_time made_at{};
};

// Bound the schedule in memory and the size of one standings page.
inline constexpr std::size_t run_bots_max = 64;
inline constexpr std::size_t run_games_max = 20'000;
// Active tournaments, and all tournaments that are stored.
inline constexpr std::size_t runs_active_max = 8;
inline constexpr std::size_t runs_kept = 24;
static_assert(runs_kept > runs_active_max);

// Returns the matches in their order: round by round, so that all bots progress equally; each pair
// swaps seats from game to game.
std::vector<std::array<bot_id, 2>> plan(const tournament&);

struct standing {
  bot_id who;
  std::uint64_t games = 0, wins = 0, draws = 0, losses = 0;
  std::array<std::uint64_t, loss_reason_count> lost_by{};
  gamehub::league::elo elo;
  double points() const { return static_cast<double>(wins) + static_cast<double>(draws) / 2; }
};

// The results of the first bot against the second.
struct head_to_head {
  std::array<bot_id, 2> bots;
  std::uint64_t wins = 0, draws = 0, losses = 0;
};

struct standings {
  tournament run;
  std::uint64_t games = 0, ended = 0, without_result = 0;
  std::vector<standing> table;  // best first
  std::vector<head_to_head> met;
};

class tournament_table {
 public:
  // Loads tournaments and counts their matches; matches of no tournament are ignored.
  void load(std::vector<tournament>, const std::vector<scheduled_match>& fixtures);

  // Assigns an id and stores the tournament. Returns the oldest finished ones, which it removed.
  std::vector<run_id> add(tournament&, std::uint64_t games);

  // Counts an ended match. Returns the tournament if it was the last match.
  const tournament* count(const scheduled_match&);
  // Cancels an active tournament, whose `withdrawn` matches were removed. Returns null if there is
  // none.
  const tournament* cancel(run_id, std::uint64_t withdrawn);

  std::size_t active_count() const;
  std::vector<tournament> all() const;
  const tournament* find(run_id) const;
  std::optional<standings> standings_of(run_id) const;

 private:
  struct tally {
    std::uint64_t wins = 0, draws = 0, losses = 0;  // of the first
  };
  struct entry {
    tournament run;
    std::uint64_t games = 0, ended = 0, without_result = 0;
    std::map<std::array<bot_id, 2>, tally> by_seats;
    std::map<bot_id, std::array<std::uint64_t, loss_reason_count>> lost_by;
  };
  static void add_result(entry&, const scheduled_match&);

  std::map<run_id, entry> runs_;
  std::uint64_t last_ = 0;
};

}  // namespace gamehub::league
