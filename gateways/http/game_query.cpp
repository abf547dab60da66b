#include "gateways/http/game_query.hpp"

#include "gateways/http/loop_service.hpp"
#include "gateways/http/response_bodies.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::gateways::http {

game_query::game_query(const loop_service& at, game_id game, std::optional<seat_index> seat,
                       bool history, response_handle to)
    : service_(at), game_(game), seat_(seat), wants_history_(history), to_(std::move(to)) {}

game_query::~game_query() = default;

void send_replay(const loop_service& at, game_id game, bool to_player, const response_handle& to) {
  at.games().replay(game, [to, to_player, &at](const std::optional<game_replay>& found) {
    if (!found || (found->game->closed && !to_player)) return to.send(at, no_such_game());
    response r;
    r.body = game_replay_text(*found);
    to.send(at, std::move(r));
  });
}

void game_query::start() {
  service_.games().query_snapshot(
      game_, seat_, [self = shared_from_this()](std::optional<game_snapshot> snapshot) {
        const bool hidden = snapshot && snapshot->progress.game->closed && !self->seat_;
        if (!snapshot || hidden) return self->to_.send(self->service_, no_such_game());
        self->snapshot_ = std::move(snapshot);
        if (!self->wants_history_) return self->answer();
        self->watch_ = self->service_.games().watch(self->game_, 0, self);
      });
}

// Updates after the snapshot are not part of the response.
void game_query::on_found(const game_progress& p) {
  last_ = std::min(p.last, snapshot_->progress.last);
  if (last_ == 0) finish();
}

void game_query::on_update(const update_ref& u) {
  history_.push_back(u);
  if (u->number >= last_) finish();
}

void game_query::finish() {
  if (!watch_) return;
  const auto self = shared_from_this();
  watch_.reset();
  answer();
}

void game_query::answer() {
  response r;
  r.body = game_standing(*snapshot_, seat_, history_);
  to_.send(service_, std::move(r));
}

}  // namespace gamehub::gateways::http
