#include "gateways/http/server/game_inquiry.hpp"

#include <algorithm>
#include <utility>

#include "gateways/http/server/game_answers.hpp"
#include "gateways/http/server/service.hpp"

namespace gamehub::gateways::http::server {

game_query::game_query(const loop_service& at, game_id game, std::optional<seat_index> seat,
                           bool history, reply to)
    : service_(at), game_(game), seat_(seat), wants_history_(history), to_(std::move(to)) {}

game_query::~game_query() = default;

void tell_replay(const loop_service& at, game_id game, bool to_player, const reply& to) {
  at.games().replay(game, [to, to_player, &at](const std::optional<game_replay>& found) {
    if (!found || (found->game->closed && !to_player)) return to.send(at, no_such_game());
    response r;
    r.body = game_replay_text(*found);
    to.send(at, std::move(r));
  });
}

void game_query::start() {
  service_.games().look(game_, seat_, [self = shared_from_this()](std::optional<game_snapshot> look) {
    const bool hidden = look && look->progress.game->closed && !self->seat_;
    if (!look || hidden) return self->to_.send(self->service_, no_such_game());
    self->snapshot_ = std::move(look);
    if (!self->wants_history_) return self->answer();
    self->watch_ = self->service_.games().watch(self->game_, 0, self);
  });
}

// What came since the look belongs to the next one.
void game_query::found(const game_progress& p) {
  last_ = std::min(p.last, snapshot_->progress.last);
  if (last_ == 0) finish();
}

void game_query::tell(const update_ref& u) {
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

}  // namespace gamehub::gateways::http::server
