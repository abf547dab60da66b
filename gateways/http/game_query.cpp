#include "gateways/http/server/game_inquiry.hpp"

#include <algorithm>
#include <utility>

#include "gateways/http/server/game_answers.hpp"
#include "gateways/http/server/service.hpp"

namespace gamehub::gateways::http::server {

game_inquiry::game_inquiry(const service& at, game_id game, std::optional<seat_index> seat,
                           bool history, reply to)
    : service_(at), game_(game), seat_(seat), wants_history_(history), to_(std::move(to)) {}

game_inquiry::~game_inquiry() = default;

void tell_replay(const service& at, game_id game, bool to_player, const reply& to) {
  at.games().replay(game, [to, to_player, &at](const std::optional<game_replay>& found) {
    if (!found || (found->game->closed && !to_player)) return to.send(at, no_such_game());
    response r;
    r.body = game_replay_text(*found);
    to.send(at, std::move(r));
  });
}

void game_inquiry::start() {
  service_.games().look(game_, seat_, [self = shared_from_this()](std::optional<game_look> look) {
    const bool hidden = look && look->progress.game->closed && !self->seat_;
    if (!look || hidden) return self->to_.send(self->service_, no_such_game());
    self->look_ = std::move(look);
    if (!self->wants_history_) return self->answer();
    self->watching_ = self->service_.games().watch(self->game_, 0, self);
  });
}

// What came since the look belongs to the next one.
void game_inquiry::found(const game_progress& p) {
  last_ = std::min(p.last, look_->progress.last);
  if (last_ == 0) finish();
}

void game_inquiry::tell(const update_ref& u) {
  history_.push_back(u);
  if (u->number >= last_) finish();
}

void game_inquiry::finish() {
  if (!watching_) return;
  const auto self = shared_from_this();
  watching_.reset();
  answer();
}

void game_inquiry::answer() {
  response r;
  r.body = game_standing(*look_, seat_, history_);
  to_.send(service_, std::move(r));
}

}  // namespace gamehub::gateways::http::server
