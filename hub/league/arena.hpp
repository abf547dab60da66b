// The arena: which bots there are, and which games they play. It decides; a gateway calls the bots,
// opens the games and reports what came of it. One a hub, owned by it. All calls may come from any
// thread and none blocks on a device; callbacks are called by any thread, also within the call that
// brings them about, and never with the arena locked. It reads no clock: the time is a parameter.
//
// A hub that is killed loses no game and plays none twice: a fixture is handed out once it is
// written, and settle() takes up what the journal has of its games.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hub/arena/bot.hpp"
#include "hub/arena/fixture.hpp"
#include "hub/arena/ratings.hpp"
#include "hub/arena/registry.hpp"
#include "hub/arena/runs.hpp"
#include "hub/arena/schedule.hpp"
#include "hub/arena/store.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/leaderboard.hpp"

namespace gamehub::arena {

struct arena_settings {
  schedule_rules schedule;
  bool open_registration = false;  // a token that nobody made is an owner of its own
};

struct run_request {
  std::string engine;
  run_format format = run_format::round_robin;
  std::uint32_t games = 2;         // of each pair
  std::vector<std::string> names;  // none: all that are online
  std::chrono::seconds patience{60};
};

// The bot as it is now, or why it may not play, as a sentence for people.
using registered = std::variant<bot, std::string>;

class arena {
 public:
  // Loads what the store has, which may take its time. The store is closed before the arena goes.
  arena(store&, std::unique_ptr<random_source>, const arena_settings&, wall_time now);

  // Called whenever next_pairings() may have something new to say. Requires: set once, before
  // bots come.
  void when_due(std::function<void()>);

  // A bot says that it is there; the answer comes once that is safe. The caller then calls it, and
  // reports came_online() or went_wrong().
  void register_bot(const registration&, wall_time now, std::function<void(registered)> answer);

  // It answered a call, or did what it is not scheduled after until it registers again.
  void came_online(const bot_ref&, wall_time now);
  void went_wrong(const bot_ref&, const fault&, wall_time now);

  // Bots that have not answered since they registered or since the hub came up: to be called once
  // it is up.
  std::vector<bot> expected() const;

  // Nothing: there is no such bot.
  std::optional<bot> find(bot_id) const;
  std::optional<bot> find(std::string_view name) const;
  std::vector<bot> bots() const;
  // The latest of them, oldest first.
  std::vector<failure> failures_of(bot_id) const;

  // Takes up what became of the games that were running when the hub went down: asks for each that
  // was written here; `lately` are all games of two bots that the journal opened near that time, or
  // that run, in any order: those not written here are found out. Called once, after the hub's
  // games were recovered and before any other game.
  void settle(const std::function<match_outcome(game_id)>&, std::vector<journal_game> lately,
              wall_time now);

  // Games that can begin now, at most so many: both bots are online and have room. Each of them is
  // the caller's until it says game_opened() or game_not_opened(). To be asked when something is
  // due, and about once a second, for what only time makes due.
  std::vector<pairing> next_pairings(wall_time now, std::size_t most);

  void game_opened(fixture_id, game_id, wall_time now);
  // It waits again, for a moment longer each time.
  void game_not_opened(fixture_id, wall_time now);
  // Of any game: those that are nobody's fixture do not matter, and once more does no harm.
  void game_ended(game_id, const ending&, wall_time now);

  // The best players of an engine, at most so many.
  std::vector<leaderboard_row> leaderboard(std::string_view engine, std::size_t limit) const;

  // A tournament; or why it can't be, as a sentence for people.
  std::variant<run_id, std::string> begin_run(const run_request&, wall_time now);
  // Games that have begun are played to their end. False: no such run is active.
  bool cancel_run(run_id);
  std::vector<run> runs() const;
  std::optional<standings> standings_of(run_id) const;

  struct counts {
    std::array<std::size_t, bot_state_count> bots{};
    std::size_t waiting = 0, running = 0;
    std::size_t runs_active = 0;
    // Games that ended while this program ran, by how they did; the last two are draws, and those
    // without a result.
    std::array<std::uint64_t, loss_reason_count + 2> ended{};
  };
  counts count() const;

 private:
  void take(const registration&, const std::optional<std::string>& owner, wall_time now,
            const std::function<void(registered)>& answer);
  // Decides under the lock, and hands over what changed in the order of the decisions.
  template <class Decide>
  void change(Decide decide) {
    changes out;
    const std::lock_guard lock{mutex_};
    decide(out);
    if (!out.empty()) store_.write(std::move(out));
  }
  void end(fixture_id, const ending&, wall_time now, changes&);
  void count_result(const fixture&, wall_time now, changes&);
  std::optional<std::string> choose(const run_request&, run&) const;
  void release_when_durable();
  void wake() const;
  std::vector<bot> opponents_of(const bot&) const;
  bool are_faulty(const std::array<bot_id, 2>&) const;
  loss_reason reason_of(const fixture&, const ending&) const;

  store& store_;
  const arena_settings settings_;
  std::function<void()> due_;

  mutable std::mutex mutex_;
  std::unique_ptr<random_source> random_;
  registry registry_;
  schedule schedule_;
  rating_book ratings_;
  tournament_table runs_;
  std::array<std::uint64_t, loss_reason_count + 2> ended_{};
};

}  // namespace gamehub::arena
