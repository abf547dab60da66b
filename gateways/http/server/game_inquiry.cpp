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

void game_inquiry::start() {
  service_.games().look(game_, seat_, [self = shared_from_this()](std::optional<game_look> look) {
    if (!look) {
      error e;
      e.code = error_code::unknown_game;
      e.message = "there is no such game";
      return self->to_.send(self->service_, e);
    }
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
