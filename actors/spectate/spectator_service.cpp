#include "actors/spectate/spectator_service.hpp"

#include "actors/runtime/actor_base.hpp"
#include "actors/spectate/log_replay.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gamehub::actors::spectate {

namespace {

// Records that one step of a replay handles.
constexpr std::size_t records_per_step = 64;

class pending_snapshot_query final : public runtime::snapshot_query {
 public:
  using answer_to = std::function<void(std::optional<game_snapshot>)>;

  pending_snapshot_query(std::shared_ptr<loop_spectator_service> from, game_id game,
                         std::optional<seat_index> as, answer_to to)
      : from_(std::move(from)), game_(game), as_(as), to_(std::move(to)) {}
  ~pending_snapshot_query() override {
    // No game answered: it has ended or does not exist.
    if (!answered_)
      from_->where().post(
          [from = from_, game = game_, to = std::move(to_)] { from->snapshot_from_log(game, to); });
  }
  pending_snapshot_query(const pending_snapshot_query&) = delete;
  pending_snapshot_query& operator=(const pending_snapshot_query&) = delete;

  std::optional<seat_index> as() const override { return as_; }
  void on_waiting(std::shared_ptr<const game_metadata> metadata) override {
    game_snapshot out;
    out.progress = {std::move(metadata), game_status::waiting, 0};
    answer(std::move(out));
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

}  // namespace

void loop_spectator_service::close() {
  closed_ = true;
  for (auto& [id, each] : feeds_) each->close();
  feeds_.clear();
  setup_.lobby = nullptr;
}

std::unique_ptr<watch_handle> loop_spectator_service::watch(game_id game, std::uint64_t after,
                                                            std::shared_ptr<watcher> who) {
  if (closed_) {
    const auto nothing = std::make_shared<feed>(shared_from_this(), game);
    nothing->close();
    return nothing->add(after, std::move(who));
  }
  auto& at = feeds_[game];
  if (!at) {
    at = std::make_shared<feed>(shared_from_this(), game);
    at->begin();
  }
  return at->add(after, std::move(who));
}

void loop_spectator_service::find(game_id game, std::shared_ptr<runtime::subscription> by) {
  if (!closed_) caf::anon_send(setup_.lobby, runtime::find_game{game, std::move(by), nullptr});
}

void loop_spectator_service::remove_feed(game_id game) { feeds_.erase(game); }

void loop_spectator_service::replay_log(game_id game, replay_callback to) {
  if (!closed_) replay_log(setup_.log->find(game), std::move(to));
}

// The replay of an engine in its own process runs on the loop of that process, because it blocks.
void loop_spectator_service::replay_log(std::optional<journal::game_log> log, replay_callback to) {
  if (!log) return to(std::nullopt);
  auto replay = std::make_shared<log_replay>(*setup_.directory, *std::move(log));
  if (replay->host() == nullptr) return replay_next(replay, to);
  auto& there = *(*setup_.engine_loops)[replay->host()->number()];
  there.post([replay, &there, self = shared_from_this(), to = std::move(to)] {
    while (replay->run(records_per_step, there)) {
    }
    self->where().post([replay, to] { to(replay->take()); });
  });
}

void loop_spectator_service::replay_next(const std::shared_ptr<log_replay>& replay,
                                         const replay_callback& to) {
  if (!replay->run(records_per_step, where())) return to(replay->take());
  where().post([self = shared_from_this(), replay, to] { self->replay_next(replay, to); });
}

void loop_spectator_service::query_snapshot(game_id game, std::optional<seat_index> as,
                                            std::function<void(std::optional<game_snapshot>)> to) {
  if (closed_) return;
  auto by = std::make_shared<pending_snapshot_query>(shared_from_this(), game, as, std::move(to));
  caf::anon_send(setup_.lobby, runtime::find_game{game, nullptr, std::move(by)});
}

void loop_spectator_service::snapshot_from_log(
    game_id game, const std::function<void(std::optional<game_snapshot>)>& to) {
  replay_log(game, [to](std::optional<game_replay> log) {
    if (!log) return to(std::nullopt);
    game_snapshot out;
    const auto status = log->ended ? game_status::ended : game_status::running;
    out.progress = {std::move(log->game), status, log->updates.back()->number};
    out.position = std::move(log->position);
    to(std::move(out));
  });
}

void loop_spectator_service::replay(game_id game,
                                    std::function<void(std::optional<game_replay>)> to) {
  if (closed_) return;
  where().post([self = shared_from_this(), game, to = std::move(to)] {
    auto log = self->setup_.log->find(game);
    if (log && log->records.back().what != journal::record::kind::ended) log.reset();
    self->replay_log(std::move(log), to);
  });
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
  where().post([self = shared_from_this(), listing] { self->list_next(listing); });
}

void loop_spectator_service::list_next(const std::shared_ptr<game_listing>& listing) {
  if (closed_) return;
  const auto again = [self = shared_from_this(), listing] { self->list_next(listing); };
  switch (listing->run()) {
    case game_listing::result::complete: return listing->answer();
    case game_listing::result::continue_later: return where().post(again);
    case game_listing::result::ask_lobby: break;
  }
  auto live = listing->live_query();
  live.answer = [self = shared_from_this(), listing, again](runtime::list_games::found found) {
    self->where().post([listing, again, found = std::move(found)]() mutable {
      listing->add_live(std::move(found));
      again();
    });
  };
  caf::anon_send(setup_.lobby, std::move(live));
}

}  // namespace gamehub::actors::spectate
