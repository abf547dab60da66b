#include "gateways/http/game_query.hpp"

#include "gateways/http/client_game_state.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/response_bodies.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

namespace gamehub::gateways::http {

namespace {

// Updates that are formatted in one iteration of a loop, at some 3 microseconds each.
constexpr std::size_t updates_at_once = 32;

// The answer to a GET of a replay, which is formatted in parts.
class replay_answer final : public std::enable_shared_from_this<replay_answer> {
 public:
  replay_answer(const loop_service& at, game_replay what, response_handle to)
      : service_(at), replay_(std::move(what)), to_(std::move(to)) {}

  void format_next() {
    auto& all = replay_.updates;
    const auto end = std::min(all.size(), next_ + updates_at_once);
    // Many answers may be formatted by turns, so that each frees what it no longer needs.
    for (; next_ < end; ++next_) updates_.append(*std::exchange(all[next_], nullptr));
    if (next_ < all.size())
      return service_.loop().defer_part([self = shared_from_this()] { self->format_next(); });
    response r;
    r.body = game_replay_text(replay_, updates_);
    r.place = std::move(replay_.place);
    to_.send(service_, std::move(r));
  }

 private:
  const loop_service& service_;
  game_replay replay_;
  const response_handle to_;
  update_list updates_;
  std::size_t next_ = 0;
};

}  // namespace

game_query::game_query(const loop_service& at, game_id game, std::optional<seat_index> seat,
                       bool history, response_handle to, std::vector<offer_update> offers)
    : service_(at),
      game_(game),
      seat_(seat),
      wants_history_(history),
      to_(std::move(to)),
      offers_(std::move(offers)) {}

game_query::~game_query() = default;

void send_replay(const loop_service& at, game_id game, std::optional<seat_index> seat,
                 const response_handle& to) {
  at.games().replay(game, seat, [to, seat, &at](std::optional<game_replay> found) {
    if (!found || (found->game->closed && !seat)) return to.send(at, no_such_game());
    std::make_shared<replay_answer>(at, *std::move(found), to)->format_next();
  });
}

void send_invitation(const loop_service& at, const std::string& invitation, bool yours,
                     const address_account_ref& by, base::instant received,
                     const response_handle& to) {
  if (by)
    if (const auto wait = by->wait(address_limit::guesses, received))
      return to.send(at, rate_exceeded(*wait));
  at.games().query_invitation(
      invitation, [to, yours, by, received, &at](const std::optional<invitation_state>& found) {
        if (by && !found) by->charge(address_limit::guesses, 1, received);
        response r;
        r.body = invitation_text(found, yours);
        to.send(at, std::move(r));
      });
}

bool answer_guest(const loop_service& at, const client_request& a, const address_account_ref& by) {
  if (a.what == operation::invitation)
    send_invitation(at, a.message, false, by, a.received, a.to);
  else if (a.what == operation::replay)
    send_replay(at, *read_game(a.game_id), std::nullopt, a.to);
  else if (a.what == operation::game)
    std::make_shared<game_query>(at, *read_game(a.game_id), std::nullopt, a.history, a.to)->start();
  else
    return false;
  return true;
}

void game_query::start() {
  service_.games().query_snapshot(
      game_, seat_, [self = shared_from_this()](std::optional<game_snapshot> snapshot) {
        const bool hidden = snapshot && snapshot->progress.game->closed && !self->seat_;
        if (!snapshot || hidden) return self->to_.send(self->service_, no_such_game());
        self->snapshot_ = std::move(snapshot);
        if (!self->wants_history_) return self->answer();
        self->watch_ = self->service_.games().watch(self->game_, 0, self->seat_, self);
      });
}

// Updates after the snapshot are not part of the response.
void game_query::on_found(const game_progress& p) {
  last_ = std::min(p.last, snapshot_->progress.last);
  if (last_ == 0) finish();
}

void game_query::on_update(const update_ref& u) {
  history_.append(*u);
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
  r.body = game_standing(*snapshot_, seat_, history_, std::chrono::steady_clock::now(),
                         offers_.empty() ? snapshot_->offers : offers_);
  r.extra_requests = extra_requests_of(snapshot_->progress);
  to_.send(service_, std::move(r));
}

}  // namespace gamehub::gateways::http
