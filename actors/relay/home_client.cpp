#include "actors/relay/home_client.hpp"

#include "hub/core/limits.hpp"

#include <utility>

namespace gamehub::actors::relay {

void home_client::begin(std::unique_ptr<session_handle> to, gamehub::ticket number, sign_in what) {
  session_ = std::move(to);
  session_->submit({{id_, {}, loop_.now(), number == 0 ? arrival : number}, std::move(what)});
}

void home_client::submit(gamehub::relay::request m) {
  if (!session_) return;
  if (unanswered_ >= unanswered_max) {
    exchange_.count_refused(gamehub::relay::demand::intent);
    const receipt answers{at_entry_, m.trace, loop_.now(), m.ticket};
    exchange_.send(
        entry_,
        gamehub::relay::told{at_entry_, {answers, {}, refused{refusal::rate_limited, {}, {}}}},
        loop_.now());
    return;
  }
  ++unanswered_;
  envelope e{{id_, m.trace, loop_.now(), m.ticket}, {}};
  std::visit([&](auto& what) { e.what = std::move(what); }, m.what);
  session_->submit(std::move(e));
}

void home_client::set_away(std::optional<base::instant> kept_until) {
  if (session_) session_->set_away(kept_until);
}

void home_client::lose_way() {
  if (session_) session_->lose_way();
  leave();
}

void home_client::await_successor() {
  loop_.timers().arm(loop_.now() + limits::return_time_max, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->close(close_reason::idle);
  });
}

void home_client::deliver(const event& e) {
  if (!session_) return;
  const bool mine = e.answers.from == id_;
  if (mine && e.answers.ticket != 0 && unanswered_ > 0) --unanswered_;
  bool sent = true;
  if (mine && e.answers.ticket == arrival) {
    if (std::holds_alternative<refused>(e.what)) return close(close_reason::hub_full);
    sent = exchange_.send(entry_, gamehub::relay::accepted{at_entry_}, loop_.now());
  } else {
    auto crossing = e;
    crossing.answers.from = mine ? at_entry_ : attachment_id{};
    if (!mine) crossing.answers.ticket = 0;
    sent =
        exchange_.send(entry_, gamehub::relay::told{at_entry_, std::move(crossing)}, loop_.now());
  }
  // The client would miss this one: it is told to come back.
  if (!sent) close(close_reason::slow_reader);
}

void home_client::close(close_reason why) {
  if (!std::exchange(session_, nullptr)) return;
  exchange_.end_client({entry_, at_entry_}, why);
}

}  // namespace gamehub::actors::relay
