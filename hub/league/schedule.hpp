// The schedule: the matches of bots, and which of them can begin, in the order of their ids. A
// plain value; the league locks it and writes the changes.
#pragma once

#include "hub/core/bot_record.hpp"
#include "hub/core/scheduled_match.hpp"
#include "hub/league/store.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::league {

struct schedule_rules {
  // The time until the same two versions are paired again, except in tournaments.
  std::chrono::seconds repeat{3'600};
  // Parallel games of one bot.
  std::size_t games_per_bot = 1;
};

// A match whose game ends without a result is repeated, but at most this many games are opened for
// it. Games that a stop of the hub ended do not count.
inline constexpr std::uint32_t openings_max = 3;

// The pause after a failed attempt to open a game; it doubles each time.
inline constexpr std::chrono::milliseconds opening_pause_min{500}, opening_pause_max{60'000};

// A loop reads its clock once per iteration, so that a game can have an earlier time than its
// match. Far more than the longest iteration.
inline constexpr std::chrono::seconds opened_early_max{5};

class schedule {
 public:
  explicit schedule(const schedule_rules& rules) : rules_(rules) {}

  // Loads the stored matches. Running ones stay so until ended() or lost().
  void load(const saved&);

  // Sets the state, engine and version of a bot.
  void update_bot(const bot_record&, base::wall_time now);

  // Adds two matches with each of the other bots, except those that wait, run, or ended lately.
  void pair(const bot_record&, const std::vector<bot_record>& others, base::wall_time now,
            changes&);

  // Removes the waiting matches of a bot outside of tournaments: it is faulty, or has changed its
  // engine.
  void withdraw(bot_id, changes&);

  // Removes bots and all their matches outside of tournaments, also running ones. The opponent wins
  // those of tournaments; a match of two such bots has no result. Returns the matches that ended.
  std::vector<scheduled_match> remove(const std::set<bot_id>&, base::wall_time now, changes&);

  // Adds the matches of a tournament, in their order.
  void add_run(run_id, const std::string& engine, const std::vector<std::array<bot_id, 2>>&,
               base::wall_time now, changes&);
  // Bots that are offline for longer than `patience` lose their waiting matches of a tournament; a
  // match of two such bots has no result. Returns the matches that ended.
  std::vector<scheduled_match> forfeit(run_id, const std::vector<bot_id>&,
                                       std::chrono::seconds patience, base::wall_time now,
                                       changes&);
  // Removes the matches of a tournament that have not begun. Returns how many.
  std::size_t withdraw(run_id, changes&);

  // Matches up to this one are durable; next() returns only those.
  void set_durable(match_id upto) { durable_ = std::max(durable_, upto); }
  match_id last() const { return match_id{last_}; }

  // As arena::next_matches().
  std::vector<scheduled_match> next(base::wall_time now, std::size_t most);

  // Change the state of a match. A match in another state than the call expects is unchanged.
  void opened(match_id, game_id, base::wall_time now, changes&);
  void not_opened(match_id, base::wall_time now, changes&);
  // `got` is empty if the game ended without a result; with `again` that game does not count as
  // opened. Returns the match if it has ended; valid until the next call.
  const scheduled_match* ended(match_id, const std::optional<match_result>& got, bool again,
                               base::wall_time now, changes&);

  // The journal does not have the game of a running match: it waits again.
  void lost(match_id, base::wall_time now, changes&);

  // Assigns a game that is in the journal only to the match of these bots that was waiting at that
  // time. Returns none if there is no such match.
  match_id adopt(const std::array<bot_id, 2>&, game_id, base::wall_time opened, changes&);

  // Returns true for the game of a running match or of one that ended lately; and the running match
  // of a game.
  bool is_known(game_id) const;
  match_id fixture_of(game_id) const;

  // Find a match that has not ended, and list the running ones.
  const scheduled_match* find(match_id) const;
  std::vector<match_id> running() const;
  std::size_t waiting_count() const { return fixtures_.size() - running_; }
  std::size_t running_count() const { return running_; }

 private:
  using seats = std::array<bot_id, 2>;

  struct entry {
    scheduled_match what;
    bool opening = false;  // next() returned it, and no report followed yet
    std::uint32_t failed = 0;
    base::wall_time not_before{};
  };
  struct player {
    bot_state state = bot_state::faulty;
    std::string engine, version;
    base::wall_time since{};  // the end of its last time online for its engine
    std::size_t busy = 0;     // games that it plays or that are being opened
    std::set<match_id> waiting;
  };
  // The recent games of two bots, by seat.
  struct meeting {
    std::array<std::string, 2> versions;
    base::wall_time at{};
  };
  struct history {
    std::size_t waiting = 0;
    std::vector<std::array<std::string, 2>> running;
    std::vector<meeting> played;
  };

  bool is_free(bot_id, const std::string& engine) const;
  bool played_lately(const seats&, base::wall_time now);
  bool is_away(bot_id, const std::string& engine, std::chrono::seconds patience,
               base::wall_time now) const;
  void add(run_id, const std::string& engine, const seats&, base::wall_time now, changes&);
  const scheduled_match* finish(entry&, const std::optional<match_result>&, base::wall_time now,
                                changes&);
  entry* first_for(const player&, base::wall_time now);
  scheduled_match begin_opening(entry&);
  void run(entry&, game_id, base::wall_time opened, changes&);
  void wait_again(entry&, base::wall_time now, changes&);
  bool is_withdrawn(const entry&) const;
  void enqueue(const entry&);
  void dequeue(const entry&);
  void begin_running(const scheduled_match&);
  void stop_running(const scheduled_match&);
  entry* find_entry(match_id, match_state);
  std::set<match_id> matches_of(const std::set<bot_id>&) const;
  void release(const entry&);

  const schedule_rules rules_;
  // Matches that have not ended.
  std::map<match_id, entry> fixtures_;
  std::map<bot_id, player> players_;
  std::map<seats, history> histories_;
  std::map<game_id, match_id> games_;  // of running matches
  std::set<run_id> cancelled_;
  std::set<game_id> over_;  // games that ended before this program started
  std::size_t running_ = 0;
  std::uint64_t last_ = 0;
  match_id durable_;
  scheduled_match ended_;  // the last match that ended
};

}  // namespace gamehub::league
