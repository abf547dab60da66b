// The games that bots shall play, and which of them can begin: a plain value that decides, in the
// order in which fixtures were made. Its owner sees to threads and writes down what changed.
#pragma once

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

#include "hub/arena/bot.hpp"
#include "hub/arena/fixture.hpp"
#include "hub/arena/store.hpp"

namespace gamehub::arena {

struct schedule_rules {
  // Two versions that have played do not meet again for so long, unless somebody asks for it.
  std::chrono::seconds repeat{3'600};
  // Of one bot, at once.
  std::size_t games_per_bot = 1;
};

// A game that ends without a result is played again, but is opened no more often than this. The
// hub's own going down does not count.
inline constexpr std::uint32_t openings_max = 3;

// Before another attempt to open a game that could not be opened; the pause doubles.
inline constexpr std::chrono::milliseconds opening_pause_min{500}, opening_pause_max{60'000};

// A loop reads its clock once a turn, so that a game may seem to have been opened a little before
// its fixture was made.
inline constexpr std::chrono::seconds opened_early_max{5};

class schedule {
 public:
  explicit schedule(const schedule_rules& rules) : rules_(rules) {}

  // Fixtures that were running stay so until they are settled.
  void load(const saved&);

  // How it is with a bot from now on.
  void take(const bot&, wall_time now);

  // The two games of each pair of the bot with one of the others that do not wait, run, or have
  // been played lately.
  void pair(const bot&, const std::vector<bot>& others, wall_time now, changes&);

  // What waits for the bot because it came online is taken back: it is faulty, or has gone over to
  // another engine.
  void withdraw(bot_id, changes&);

  // The games of a run, in their order.
  void add_run(run_id, const std::string& engine, const std::vector<std::array<bot_id, 2>>&,
               wall_time now, changes&);
  // Bots of a run that are away for longer than its patience lose what they have yet to play; who
  // meets another such bot has no result. Returns what has ended by that.
  std::vector<fixture> forfeit(run_id, const std::vector<bot_id>&, std::chrono::seconds patience,
                               wall_time now, changes&);
  // What of a run has not begun is taken back. Returns how many games.
  std::size_t withdraw(run_id, changes&);

  // Fixtures up to that one are written: only those are handed out.
  void set_durable(fixture_id upto) { durable_ = std::max(durable_, upto); }
  fixture_id last() const { return fixture_id{last_}; }

  // As arena::next_pairings().
  std::vector<pairing> next(wall_time now, std::size_t most);

  // None of them does anything for a fixture that is not in the state for it.
  void opened(fixture_id, game_id, wall_time now, changes&);
  void not_opened(fixture_id, wall_time now, changes&);
  // `got`: nothing where the game ended without a result; `again`: then the game did not count.
  // Returns the fixture, until the next call, if it has ended for good.
  const fixture* ended(fixture_id, const std::optional<result>& got, bool again, wall_time now,
                       changes&);

  // Nobody knows the game that it was opened as.
  void lost(fixture_id, wall_time now, changes&);

  // A game that two bots began before this was known here: it is the fixture that waits for them
  // since before then. None: there is no such fixture.
  fixture_id adopt(const std::array<bot_id, 2>&, game_id, wall_time opened, changes&);

  // Whether it is a game of a fixture that runs, or that ended lately; and whose, if that runs.
  bool is_known(game_id) const;
  fixture_id fixture_of(game_id) const;

  const fixture* find(fixture_id) const;
  std::vector<fixture_id> running() const;
  std::size_t waiting_count() const { return fixtures_.size() - running_; }
  std::size_t running_count() const { return running_; }

 private:
  using seats = std::array<bot_id, 2>;

  struct entry {
    fixture what;
    bool opening = false;  // somebody opens it just now
    std::uint32_t failed = 0;
    wall_time not_before{};
  };
  struct player {
    bot_state state = bot_state::faulty;
    std::string engine, version;
    wall_time since{};     // when it was last online for its engine, unless it is
    std::size_t busy = 0;  // games that it plays, or that are being opened
    std::set<fixture_id> waiting;
  };
  // Of two bots by seat: what is played, and what was, lately.
  struct meeting {
    std::array<std::string, 2> versions;
    wall_time at{};
  };
  struct history {
    std::size_t waiting = 0;
    std::vector<std::array<std::string, 2>> running;
    std::vector<meeting> played;
  };

  bool is_free(bot_id, const std::string& engine) const;
  bool played_lately(const seats&, wall_time now);
  bool is_away(bot_id, const std::string& engine, std::chrono::seconds patience,
               wall_time now) const;
  void add(run_id, const std::string& engine, const seats&, wall_time now, changes&);
  const fixture* finish(entry&, const std::optional<result>&, wall_time now, changes&);
  entry* first_for(const player&, wall_time now);
  pairing begin_opening(entry&);
  void run(entry&, game_id, wall_time opened, changes&);
  void wait_again(entry&, wall_time now, changes&);
  bool is_withdrawn(const entry&) const;
  void enqueue(const entry&);
  void dequeue(const entry&);
  void begin_running(const fixture&);
  void stop_running(const fixture&);
  entry* find_entry(fixture_id, fixture_state);

  const schedule_rules rules_;
  // Those that have not ended.
  std::map<fixture_id, entry> fixtures_;
  std::map<bot_id, player> players_;
  std::map<seats, history> histories_;
  std::map<game_id, fixture_id> games_;  // that run
  std::set<run_id> cancelled_;
  std::set<game_id> over_;  // that ended before this program began
  std::size_t running_ = 0;
  std::uint64_t last_ = 0;
  fixture_id durable_;
  fixture ended_;  // the last one that did
};

}  // namespace gamehub::arena
