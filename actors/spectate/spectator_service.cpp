#include "actors/spectate/spectator_service.hpp"

#include "actors/runtime/actor_base.hpp"
#include "actors/spectate/log_replay.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>

namespace gamehub::actors::spectate {

namespace {

// Records that one part of a replay handles, at some 6 microseconds each.
constexpr std::size_t records_per_part = 16;
// Replays of a loop that are in memory at once, at some 400 KB for a game of 361 moves with its
// answer; and those that may wait before busy() is true.
constexpr std::size_t replays_at_once = 16;
constexpr std::size_t waiting_replays_max = 1024;
// When a read that the journal did not take is tried again.
constexpr std::chrono::milliseconds read_retry_pause{50};

class pending_snapshot_query final : public runtime::snapshot_query {
 public:
  using answer_to = std::function<void(std::optional<game_snapshot>)>;

  pending_snapshot_query(std::shared_ptr<loop_spectator_service> from, game_id game,
                         std::optional<seat_index> as, answer_to to)
      : from_(std::move(from)), game_(game), as_(as), to_(std::move(to)) {}
  ~pending_snapshot_query() override {
    // No game answered: it has ended or does not exist.
    if (!answered_)
      from_->where().post([from = from_, game = game_, as = as_, to = std::move(to_)] {
        from->snapshot_from_log(game, as, to);
      });
  }
  pending_snapshot_query(const pending_snapshot_query&) = delete;
  pending_snapshot_query& operator=(const pending_snapshot_query&) = delete;

  std::optional<seat_index> as() const override { return as_; }
  void on_waiting(std::shared_ptr<const game_metadata> metadata) override {
    answered_ = true;
    from_->where().post([from = from_, to = to_, metadata = std::move(metadata)] {
      from->snapshot_of_waiting(metadata, to);
    });
  }
  void answer(game_snapshot what) override {
    answered_ = true;
    from_->where().post([to = to_, what = std::move(what)] { to(what); });
  }

 private:
  std::shared_ptr<loop_spectator_service> from_;
  game_id game_;
  std::optional<seat_index> as_;
  answer_to to_;
  bool answered_ = false;
};

// Collects the clocks of games that run on several loops.
class pending_clock_query final : public runtime::clock_query {
 public:
  using clocks = std::unordered_map<game_id, game_clock>;

  pending_clock_query(runtime::loop& where, std::function<void(clocks&)> to)
      : where_(where), to_(std::move(to)) {}
  ~pending_clock_query() override {
    where_.post([to = std::move(to_), found = std::move(found_)]() mutable { to(found); });
  }
  pending_clock_query(const pending_clock_query&) = delete;
  pending_clock_query& operator=(const pending_clock_query&) = delete;

  void answer(game_id game, game_clock clock) override {
    const std::lock_guard lock{guard_};
    found_.emplace(game, std::move(clock));
  }

 private:
  runtime::loop& where_;
  std::function<void(clocks&)> to_;
  std::mutex guard_;
  clocks found_;
};

}  // namespace

void loop_spectator_service::close() {
  closed_ = true;
  for (auto& [key, each] : feeds_) each->close();
  feeds_.clear();
  setup_.lobby = nullptr;
  waiting_replays_.clear();
}

bool loop_spectator_service::busy() const {
  return setup_.log->reads_full() || waiting_replays_.size() >= waiting_replays_max;
}

std::unique_ptr<watch_handle> loop_spectator_service::watch(game_id game, std::uint64_t after,
                                                            std::optional<seat_index> as,
                                                            std::shared_ptr<watcher> who) {
  return watch(game, after, as, std::nullopt, std::move(who));
}

std::unique_ptr<watch_handle> loop_spectator_service::watch_elsewhere(
    std::uint64_t hub, game_id game, std::uint64_t after, std::shared_ptr<watcher> who) {
  return watch(game, after, std::nullopt, journal::member_id{hub}, std::move(who));
}

std::unique_ptr<watch_handle> loop_spectator_service::watch(game_id game, std::uint64_t after,
                                                            std::optional<seat_index> as,
                                                            std::optional<journal::member_id> far,
                                                            std::shared_ptr<watcher> who) {
  if (closed_) {
    const auto nothing = std::make_shared<feed>(shared_from_this(), game, as, far);
    nothing->close();
    return nothing->add(after, std::move(who));
  }
  auto& at = feeds_[{game, as, far.has_value()}];
  if (!at) {
    at = std::make_shared<feed>(shared_from_this(), game, as, far);
    at->begin();
  }
  return at->add(after, std::move(who));
}

void loop_spectator_service::find(game_id game, std::optional<journal::member_id> far,
                                  std::shared_ptr<runtime::subscription> by) {
  if (closed_) return;
  if (far) return setup_.far->watch(*far, game, std::move(by));
  caf::anon_send(setup_.lobby, runtime::find_game{game, std::move(by), nullptr});
}

void loop_spectator_service::replay_far(game_id game, replay_callback to) {
  if (closed_) return;
  setup_.far->replay(game, [self = shared_from_this(), to = std::move(to)](auto found) {
    self->where().post([to, found = std::move(found)]() mutable { to(std::move(found)); });
  });
}

void loop_spectator_service::remove_feed(const feed& which) {
  feeds_.erase({which.game(), which.as(), which.is_far()});
}

void loop_spectator_service::replay_log(game_id game, std::optional<seat_index> as,
                                        replay_callback to) {
  if (closed_) return;
  find_log(game, [self = shared_from_this(), as, to = std::move(to)](auto log) {
    self->replay_log(std::move(log), as, to);
  });
}

// The callbacks are called and destroyed on this loop.
void loop_spectator_service::find_log(game_id game, log_callback to) {
  auto then = std::make_shared<log_callback>(std::move(to));
  where().defer_part([self = shared_from_this(), game, then = std::move(then)] {
    self->read_later([self, game, then]() mutable {
      auto& there = self->where();
      auto found = self->setup_.log->find(game);
      there.post([then = std::move(then), found = std::move(found)]() mutable {
        (*then)(std::move(found));
      });
    });
  });
}

// A game whose log can't be read now exists all the same, so its reader waits.
void loop_spectator_service::read_later(std::function<void()> read) {
  if (closed_ || setup_.log->read_later(std::move(read))) return;
  where().timers().arm(
      where().now() + read_retry_pause,
      [self = shared_from_this(), read = std::move(read)] { self->read_later(read); });
}

// The replay of an engine in its own process runs on the loop of that process, because it blocks.
void loop_spectator_service::replay_log(std::optional<journal::game_log> log,
                                        std::optional<seat_index> as, replay_callback to) {
  if (!log) return to(std::nullopt);
  auto replay = std::make_shared<log_replay>(*setup_.directory, *std::move(log), as);
  auto& there =
      replay->host() == nullptr ? where() : *(*setup_.engine_loops)[replay->host()->number()];
  auto* const host = replay->host();
  auto begin = [self = shared_from_this(), replay = std::move(replay), &there,
                to = std::move(to)]() mutable {
    there.post(
        [self = std::move(self), replay = std::move(replay), &there, to = std::move(to)]() mutable {
          self->replay_next(there, std::move(replay), std::move(to));
        });
  };
  host == nullptr ? begin() : host->wake(std::move(begin));
}

// The result is a part as well: it may be formatted as one long answer. One replay after the other,
// so that few have their updates in memory.
void loop_spectator_service::replay_next(runtime::loop& there, std::shared_ptr<log_replay> replay,
                                         replay_callback to) {
  there.continue_part([self = shared_from_this(), &there, replay = std::move(replay),
                       to = std::move(to)]() mutable {
    if (replay->run(records_per_part, there))
      return self->replay_next(there, std::move(replay), std::move(to));
    self->where().post([self, replay = std::move(replay), to = std::move(to)]() mutable {
      self->where().continue_part(
          [replay = std::move(replay), to = std::move(to)] { to(replay->take()); });
    });
  });
}

void loop_spectator_service::query_snapshot(game_id game, std::optional<seat_index> as,
                                            std::function<void(std::optional<game_snapshot>)> to) {
  if (closed_) return;
  auto by = std::make_shared<pending_snapshot_query>(shared_from_this(), game, as, std::move(to));
  caf::anon_send(setup_.lobby, runtime::find_game{game, nullptr, std::move(by)});
}

void loop_spectator_service::snapshot_from_log(
    game_id game, std::optional<seat_index> as,
    const std::function<void(std::optional<game_snapshot>)>& to) {
  replay_log(game, as, [to](std::optional<game_replay> log) {
    if (!log) return to(std::nullopt);
    game_snapshot out;
    const auto status = log->ended ? game_status::ended : game_status::running;
    out.progress = {std::move(log->game), status, log->updates.back()->number};
    out.position = std::move(log->position);
    to(std::move(out));
  });
}

// The start position is that of a log with the record `opened` alone.
void loop_spectator_service::snapshot_of_waiting(
    const std::shared_ptr<const game_metadata>& game,
    const std::function<void(std::optional<game_snapshot>)>& to) {
  journal::game_log log;
  log.header.id = game->id;
  log.header.engine = game->engine;
  log.header.engine_version = game->engine_version;
  log.header.options = game->options;
  log.records.emplace_back().what = journal::record::kind::opened;
  replay_log(std::move(log), std::nullopt, [game, to](std::optional<game_replay> start) {
    game_snapshot out;
    out.progress = {game, game_status::waiting, 0};
    out.position = std::move(start->position);
    out.position.to_move = 0;  // no seat moves before the game begins
    to(std::move(out));
  });
}

void loop_spectator_service::query_invitation(
    const std::string& invitation, std::function<void(std::optional<invitation_state>)> to) {
  if (closed_) return;
  caf::anon_send(
      setup_.lobby,
      runtime::find_invitation{invitation, [self = shared_from_this(), to = std::move(to)](
                                               std::optional<invitation_state> found) {
                                 self->where().post([to, found = std::move(found)] { to(found); });
                               }});
}

void loop_spectator_service::find_clocks(std::vector<game_id> games,
                                         std::function<void(clocks&)> to) {
  auto by = std::make_shared<pending_clock_query>(
      where(), [self = shared_from_this(), to = std::move(to)](clocks& found) {
        if (!self->closed_) to(found);
      });
  caf::anon_send(setup_.lobby, runtime::find_clocks{std::move(games), std::move(by)});
}

void loop_spectator_service::query_clock(game_id game, std::function<void(game_clock)> to) {
  if (closed_) return;
  find_clocks({game}, [game, to = std::move(to)](clocks& found) { to(std::move(found[game])); });
}

void loop_spectator_service::replay(game_id game, std::optional<seat_index> as,
                                    std::function<void(std::optional<game_replay>)> to) {
  if (closed_) return;
  waiting_replays_.emplace_back([this, game, as, to = std::move(to)](auto place) {
    find_log(game, [self = shared_from_this(), as, to, place = std::move(place)](auto log) {
      if (log && log->records.back().what != journal::record::kind::ended) log.reset();
      self->replay_log(std::move(log), as, [to, place](std::optional<game_replay> found) {
        if (found) found->place = place;
        to(std::move(found));
      });
    });
  });
  begin_replays();
}

void loop_spectator_service::begin_replays() {
  while (replays_ < replays_at_once && !waiting_replays_.empty()) {
    const auto next = std::move(waiting_replays_.front());
    waiting_replays_.pop_front();
    ++replays_;
    // The last owner may be on another loop, or release it while another replay begins.
    next(std::shared_ptr<const void>{nullptr, [self = shared_from_this()](const void*) {
                                       self->where().post([self] {
                                         --self->replays_;
                                         if (!self->closed_) self->begin_replays();
                                       });
                                     }});
  }
}

void loop_spectator_service::list(const list_query& asked, std::function<void(game_page)> to) {
  if (closed_) return;
  auto query = asked;
  query.limit = std::clamp<std::size_t>(query.limit, 1, list_limit_max);
  if (!query.before) query.before = {std::numeric_limits<std::uint64_t>::max()};
  std::optional<std::uint16_t> kind;
  if (!query.engine.empty()) {
    const auto engine = setup_.directory->find_engine(query.engine);
    if (!engine) return where().post([to = std::move(to)] { to({}); });
    kind = setup_.directory->engines[*engine].kind;
  }
  const auto listing =
      std::make_shared<game_listing>(setup_, ended_games_, std::move(query), kind, std::move(to));
  list_next(listing);
}

void loop_spectator_service::list_next(const std::shared_ptr<game_listing>& listing) {
  where().defer_part([self = shared_from_this(), listing] { self->list_part(listing); });
}

void loop_spectator_service::list_part(const std::shared_ptr<game_listing>& listing) {
  if (closed_) return;
  read_later([self = shared_from_this(), listing = listing]() mutable {
    auto& there = self->where();
    auto reached = game_listing::result::complete;
    std::exception_ptr failure;
    try {
      reached = listing->run();
    } catch (...) {
      failure = std::current_exception();  // the loop reports it
    }
    there.post([self = std::move(self), listing = std::move(listing), reached, failure] {
      if (failure) std::rethrow_exception(failure);
      self->list_on(listing, reached);
    });
  });
}

void loop_spectator_service::list_on(const std::shared_ptr<game_listing>& listing,
                                     game_listing::result reached) {
  if (closed_) return;
  switch (reached) {
    case game_listing::result::complete: return add_clocks(listing);
    case game_listing::result::continue_later: return list_next(listing);
    case game_listing::result::ask_lobby: break;
  }
  auto live = listing->live_query();
  live.answer = [self = shared_from_this(), listing](runtime::list_games::found found) {
    self->where().post([self, listing, found = std::move(found)]() mutable {
      listing->add_live(std::move(found));
      self->list_next(listing);
    });
  };
  caf::anon_send(setup_.lobby, std::move(live));
}

// The clock of a game is known to its actor alone.
void loop_spectator_service::add_clocks(const std::shared_ptr<game_listing>& listing) {
  auto running = listing->running();
  if (running.empty()) return listing->answer();
  find_clocks(std::move(running), [listing](clocks& found) {
    listing->set_clocks(found);
    listing->answer();
  });
}

}  // namespace gamehub::actors::spectate
