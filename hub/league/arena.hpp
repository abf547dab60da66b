// The bot league: which bots are registered, and which games they play. It decides; the gateway of
// bots calls the bots, opens the games and reports results. One per hub, owned by the composition.
// All calls may come from any thread and none blocks on a device. Callbacks come from any thread,
// also within the call that causes them, and never with the league locked. The time is a parameter.
//
// A crash loses no game and plays no game twice: a scheduled match is returned only after it is
// written, and record_result() reads the ends of running games from the journal.
#pragma once

#include "hub/base/random.hpp"
#include "hub/core/bot_record.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/scheduled_match.hpp"
#include "hub/league/match_outcome.hpp"
#include "hub/league/ratings.hpp"
#include "hub/league/registry.hpp"
#include "hub/league/schedule.hpp"
#include "hub/league/store.hpp"
#include "hub/league/tournaments.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::league {

struct arena_settings {
  schedule_rules schedule;
  bool open_registration = false;  // each unknown token is an owner
  std::uint32_t names_per_owner_max = limits::bot_names_per_owner_default;
};

// Bots that are removed: the one of that name, or all of an owner or account.
struct bot_choice {
  std::string name, owner;  // one of the two
};

struct run_request {
  std::string engine;
  run_format format = run_format::round_robin;
  std::uint32_t games = 2;         // of each pair
  std::vector<std::string> names;  // empty: all bots that are online
  std::chrono::seconds patience{60};
};

// The registered bot, or why it is refused.
using registered = std::variant<bot_record, registration_refusal>;

class arena {
 public:
  // Loads the contents of the store; may block. Requires: the store is closed before the league is
  // destroyed.
  arena(store&, std::unique_ptr<base::random_source>, const arena_settings&, base::wall_time now);

  // Loads the contents of the store, which had none when this object was made: this hub has the
  // league of its cluster now. May block. Requires: nothing was registered.
  void begin(base::wall_time now);

  // Sets the callback for "next_matches() may have new matches". Requires: called once, before
  // bots register.
  void when_due(std::function<void()>);
  // Sets the callback for bots that were removed. Bots that were removed before are not reported.
  void when_removed(std::function<void(const std::vector<bot_id>&)>);

  // Finds the owner of a token; nothing: it is unknown or revoked, and registration is not open. An
  // owner of an unknown token has no account.
  void find_owner(const std::string& token,
                  std::function<void(const std::optional<bot_owner>&)> answer);
  // Registers a bot of an owner. Answers once the registration is durable. The gateway then calls
  // the bot and reports on_online() or on_failure(). A bot that never answered a call loses its
  // name after unanswered_kept, or earlier if the registry is full.
  void register_bot(const bot_profile&, const bot_owner&, base::wall_time now,
                    std::function<void(const registered&)> answer);

  // Removes bots with their matches and ratings; the results of ended tournaments stay. Answers
  // with their names once that is durable.
  void remove(const bot_choice&, base::wall_time now,
              std::function<void(const std::vector<std::string>&)> answer);

  // The bot answered its first call; or it made an error, after which it is not scheduled until it
  // registers again. Bots of an engine that is not for two are neither scheduled nor rated.
  void on_online(const bot_ref&, base::wall_time now, bool for_two = true);
  void on_failure(const bot_ref&, const bot_error&, base::wall_time now);

  // Returns the bots that have answered no call since their registration or since the start. The
  // gateway calls them once the hub runs.
  std::vector<bot_record> expected() const;

  // Find a bot. Nothing: there is no such bot.
  std::optional<bot_record> find(bot_id) const;
  std::optional<bot_record> find(std::string_view name) const;
  std::vector<bot_record> bots() const;
  // Returns the latest errors of a bot, oldest first.
  std::vector<failure> failures_of(bot_id) const;

  // Takes the results of the games that were running when the hub stopped: asks for the outcome of
  // each game that is written here. `lately` are all games of two bots in the journal that run or
  // ended near that time, in any order; it finds those that are not written here. Called once,
  // after the recovery of games and before any new game.
  void record_result(const std::function<match_outcome(game_id)>&, std::vector<journal_game> lately,
                     base::wall_time now);

  // Returns at most `most` matches that can begin now: both bots are online and not at their limit.
  // The caller reports each with game_opened() or game_not_opened(). Called after when_due(), and
  // about once a second for pauses and patience that have expired.
  std::vector<scheduled_match> next_matches(base::wall_time now, std::size_t most);

  // The match began as this game.
  void game_opened(match_id, game_id, base::wall_time now);
  // The match did not begin. It waits again, each time longer.
  void game_not_opened(match_id, base::wall_time now);
  // A game has ended. Games of no match are ignored, and so are repeated reports.
  void game_ended(game_id, const match_end&, base::wall_time now);

  // Returns at most `limit` bots of an engine, the best first.
  std::vector<leaderboard_row> leaderboard(std::string_view engine, std::size_t limit) const;

  // Starts a tournament. Returns a sentence if that is not possible.
  std::variant<run_id, std::string> begin_run(const run_request&, base::wall_time now);
  // Cancels the matches that have not begun. Returns false if no such tournament is active.
  bool cancel_run(run_id);
  // Return all tournaments, and the standings of one.
  std::vector<tournament> runs() const;
  std::optional<standings> standings_of(run_id) const;

  struct counts {
    std::array<std::size_t, bot_state_count> bots{};
    std::size_t waiting = 0, running = 0;
    std::size_t runs_active = 0;
    // Games that ended since the start, by loss_reason; the last two are draws and games without a
    // result.
    std::array<std::uint64_t, loss_reason_count + 2> ended{};
  };
  // Returns the counts for metrics.
  counts count() const;

 private:
  // Runs `decide` under the lock, and writes its changes in the order of the decisions.
  template <class Decide>
  void change(Decide decide) {
    changes out;
    std::vector<bot_id> removed;
    std::function<void(const std::vector<bot_id>&)> report;
    {
      const std::lock_guard lock{mutex_};
      decide(out);
      removed = out.removed;
      if (!removed.empty()) report = removed_;
      if (!out.empty()) store_.write(std::move(out));
    }
    if (report) report(removed);
  }
  void remove(const std::set<bot_id>&, base::wall_time now, changes&);
  void load(const saved&, base::wall_time now);
  void end(match_id, const match_end&, base::wall_time now, changes&);
  void count_result(const scheduled_match&, base::wall_time now, changes&);
  std::optional<std::string> choose_bots(const run_request&, tournament&) const;
  void release_when_durable();
  void wake() const;
  std::vector<bot_record> opponents_of(const bot_record&) const;
  bool are_faulty(const std::array<bot_id, 2>&) const;
  loss_reason reason_of(const scheduled_match&, const match_end&) const;

  store& store_;
  const arena_settings settings_;
  std::function<void()> due_;

  mutable std::mutex mutex_;
  std::function<void(const std::vector<bot_id>&)> removed_;
  std::unique_ptr<base::random_source> random_;
  registry registry_;
  schedule schedule_;
  rating_book ratings_;
  tournament_table runs_;
  std::set<std::string> big_engines_;  // of the bots that were online here, those not for two
  std::array<std::uint64_t, loss_reason_count + 2> ended_{};
};

}  // namespace gamehub::league
