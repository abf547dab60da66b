#include "gateways/http/server/client.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "gateways/http/http_limits.hpp"
#include "gateways/http/object_writer.hpp"
#include "gateways/http/server/game_inquiry.hpp"
#include "gateways/http/server/service.hpp"
#include "gateways/http/server/update_reader.hpp"

namespace gamehub::gateways::http::server {

namespace {

error with_code(error_code code, std::string message) {
  error e;
  e.code = code;
  e.message = std::move(message);
  return e;
}

error unknown_client() {
  return with_code(error_code::unknown_client, "no session has that client_id");
}

error too_many() {
  return with_code(error_code::too_many_requests, "too many of your requests are unanswered");
}

// Why nobody is there any more who could answer.
error error_after(close_reason why) {
  switch (why) {
    case close_reason::draining: return from(refusal::draining);
    case close_reason::hub_full:
    case close_reason::address_limit: return from(refusal::hub_full);
    case close_reason::banned: return kept_out();
    case close_reason::failed:
      return with_code(error_code::hub_full, "something went wrong in the hub: try again");
    case close_reason::client_left:
    case close_reason::protocol_error:
    case close_reason::slow_reader:
    case close_reason::handshake_timeout:
    case close_reason::idle:
    case close_reason::replaced: return unknown_client();
  }
  return unknown_client();
}

response nothing_to_say() {
  response out;
  out.body = "{}";
  return out;
}

}  // namespace

client::client(service& home, const client_key& key)
    : home_(home), key_(key), id_(home.loop().next_attachment()) {}

client::~client() = default;

void client::enter(sign_in who) {
  auto why = close_reason::hub_full;
  state_ = state::entering;
  seen_ = std::chrono::steady_clock::now();
  door_ = home_.reception().admit(shared_from_this(), why);
  if (!door_) return leave(error_after(why));
  entering_ = submit(std::move(who), seen_);
  arm_timer();
}

void client::take(ask a) {
  seen_ = std::chrono::steady_clock::now();
  if (state_ == state::here) return carry_out(a);
  if (state_ == state::gone) return send(a, unknown_client());
  if (waiting_.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
  waiting_.push_back(std::move(a));
}

void client::carry_out(ask& a) {
  switch (a.what) {
    case operation::connect: return connect(a);
    case operation::play: return play(a);
    case operation::rematch: return rematch(a);
    case operation::move:
    case operation::chat: return make_move(a);
    case operation::quit: return quit(a);
    case operation::updates: return read_updates(a);
    case operation::game: return show_game(a);
    case operation::replay: return show_replay(a);
    case operation::engines:
    case operation::games:
    case operation::leaderboard:
    case operation::openapi:
    case operation::socket:
    case operation::page: return;  // not a client's affair
  }
}

void client::connect(const ask& a) {
  response r;
  object_writer to{r.body};
  to.text("client_id", a.client_id);
  to.text("name", name_);
  to.end();
  send(a, std::move(r));
}

void client::play(ask& a) {
  const auto& wish = *a.wish;
  const bool has_place =
      place_.is() == place::status::waiting || place_.is() == place::status::running;
  if (seek_ && !wish.resume) return seek_seat(a, {});
  if (wish.resume && !has_place) return send(a, from(refusal::cannot_resume));
  if (place_.is() == place::status::waiting || wish.resume) return answer_seat(a);
  seek what;
  what.engines = {wish.engine};
  what.options = {wish.options};
  what.seat_at_once = what.reserve_game = true;
  what.seat = wish.seat;
  what.against_engine = wish.against_engine;
  what.level = wish.level;
  what.closed = wish.closed;
  what.invitation = wish.invitation;
  what.opponent = wish.opponent;
  what.opponent_ready = wish.opponent_ready;
  seek_seat(a, std::move(what));
}

void client::rematch(ask& a) {
  if (auto other = place_.why_not(a.game_id)) return send(a, *other);
  if (place_.is() != place::status::ended)
    return send(a, with_code(error_code::unknown_game, "the game has not ended"));
  seek_seat(a, gamehub::rematch{place_.id()});
}

void client::make_move(ask& a) {
  if (auto other = place_.why_not(a.game_id)) return send(a, *other);
  // That somebody has come may be known elsewhere before it is here: the hub decides.
  if (auto idle = place_.why_idle(); idle && place_.is() != place::status::waiting)
    return send(a, *idle);
  if (a.what == operation::chat)
    if (const auto no = chatter_.say(a.message, false, a.received)) return send(a, *no);
  if (a.what == operation::chat) return submit(a, chat{place_.id(), std::move(a.message)});
  submit(a, gamehub::play{place_.id(), std::move(a.move)});
}

void client::quit(ask& a) {
  if (auto other = place_.why_not(a.game_id)) return send(a, *other);
  if (place_.is() == place::status::ended)
    return send(a, with_code(error_code::unknown_game, "the game has ended"));
  // Who waits has no game yet that the hub would know by its id.
  submit(a, gamehub::leave{place_.is() == place::status::waiting ? game_id{} : place_.id()});
}

void client::read_updates(const ask& a) {
  if (place_.is() == place::status::none || place_.id() != a.reader->game())
    return set_player(home_, a.reader, nullptr);
  ++readers_;
  has_read_ = true;
  set_player(home_, a.reader, shared_from_this());
}

void client::show_game(const ask& a) {
  const auto game = *read_game(a.game_id);
  const bool mine = place_.is() != place::status::none && place_.id() == game;
  std::make_shared<game_query>(home_, game, mine ? std::optional{place_.seat()} : std::nullopt,
                                 a.history, a.to)
      ->start();
}

void client::show_replay(const ask& a) {
  const auto game = *read_game(a.game_id);
  tell_replay(home_, game, place_.is() != place::status::none && place_.id() == game, a.to);
}

void client::seek_seat(ask& a, intent how) {
  if (seek_) {
    if (seek_->asks.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
    return seek_->asks.push_back(std::move(a));
  }
  seek_ = std::make_unique<seek_operation>();
  const auto received = a.received;
  seek_->asks.push_back(std::move(a));
  if (place_.is() == place::status::running) {
    seek_->at = seek_operation::step::leaving;
    seek_->next = std::move(how);
    seek_->number = submit(gamehub::leave{place_.id()}, received);
  } else {
    seek_->number = submit(std::move(how), received);
  }
}

void client::take_next_step(const event& e) {
  if (seek_->at == seek_operation::step::leaving) {
    seek_->at = seek_operation::step::seeking;
    seek_->number = submit(std::move(seek_->next), seek_->asks.front().received);
    return;
  }
  if (const auto* no = std::get_if<refused>(&e.what)) return not_seated(from(no->why, no->detail));
  const auto* at = std::get_if<placed>(&e.what);
  if (at == nullptr || !at->begins || place_.is() == place::status::ended) return seated();
  seek_->at = seek_operation::step::beginning;
}

void client::seated() {
  const auto done = std::exchange(seek_, nullptr);
  for (const auto& a : done->asks) answer_seat(a);
}

void client::not_seated(const error& why) {
  const auto done = std::exchange(seek_, nullptr);
  for (const auto& a : done->asks) send(a, why);
}

void client::answer_seat(const ask& a) {
  response r;
  r.body.reserve(256);
  place_.append_members(r.body, home_.setup().public_url);
  if (!a.client_id.empty()) {
    r.body += ",\"client_id\":";
    json::append_quoted(a.client_id, r.body);
    r.body += ",\"name\":";
    json::append_quoted(name_, r.body);
  }
  r.body += '}';
  send(a, std::move(r));
}

void client::submit(ask& a, intent what) {
  if (pending_.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
  const auto number = submit(std::move(what), a.received);
  pending_.push_back({number, std::move(a)});
}

ticket client::submit(intent what, instant received) {
  const auto number = ++last_ticket_;
  door_->submit({{id_, home_.loop().next_trace(), received, number}, std::move(what)});
  return number;
}

void client::deliver(const event& e) {
  if (state_ == state::gone) return;
  learn(e);
  if (e.answers.ticket != 0)
    hear_answer(e);
  else if (const auto* no = std::get_if<refused>(&e.what))
    come_to_nothing(*no);
  if (state_ == state::gone) return;
  if (seek_ && seek_->at == seek_operation::step::beginning && place_.shown() &&
      place_.is() != place::status::waiting)
    seated();
  entered_if_shown();
}

void client::learn(const event& e) {
  if (const auto* p = std::get_if<placed>(&e.what)) place_.take(e.game, *p);
  if (const auto* p = std::get_if<position_ref>(&e.what)) place_.take(e.game, *p);
  const auto* s = std::get_if<started>(&e.what);
  if (s == nullptr) return;
  place_.take(e.game, *s);
  has_read_ = readers_ > 0;
}

void client::hear_answer(const event& e) {
  if (e.game) home_.answered(e);
  if (e.answers.ticket == entering_) return hear_who_it_is(e);
  if (seek_ && e.answers.ticket == seek_->number) return take_next_step(e);
  const auto at = std::find_if(pending_.begin(), pending_.end(),
                               [&](const auto& p) { return p.number == e.answers.ticket; });
  if (at == pending_.end()) return;
  auto a = std::move(at->what);
  pending_.erase(at);
  settle(a, e);
}

void client::hear_who_it_is(const event& e) {
  if (const auto* no = std::get_if<refused>(&e.what))
    return leave(no->why == refusal::cannot_resume ? unknown_client() : from(no->why));
  const auto* who = std::get_if<signed_in>(&e.what);
  if (who == nullptr) return;
  name_ = who->name;
  entering_ = 0;
  if (who->games == 0) state_ = state::here;
}

// Of the waiting, or of a game that was about to begin.
void client::come_to_nothing(const refused& no) {
  if (place_.is() == place::status::waiting) place_.leave();
  if (seek_) not_seated(from(no.why, no.detail));
}

void client::entered_if_shown() {
  if (state_ == state::entering && entering_ == 0 && place_.shown()) state_ = state::here;
  if (state_ != state::here) return;
  for (auto& a : std::exchange(waiting_, {})) carry_out(a);
}

void client::settle(ask& a, const event& e) {
  if (const auto* no = std::get_if<refused>(&e.what)) {
    // It was this game's when it was sent: it has crossed the end, of which nothing is known here
    // yet.
    if (auto idle = place_.why_idle(); idle && no->why == refusal::not_your_turn)
      return send(a, *idle);
    const bool crossed = no->why == refusal::not_in_game && a.what != operation::quit;
    return send(a, from(crossed ? refusal::game_over : no->why, no->detail));
  }
  if (a.what == operation::quit && place_.is() == place::status::waiting) place_.leave();
  send(a, nothing_to_say());
}

void client::close(close_reason why) {
  if (state_ != state::gone) leave(error_after(why));
}

void client::set_session(std::unique_ptr<session_handle> to) {
  if (state_ != state::gone) door_ = std::move(to);
}

void client::leave(const error& why) {
  state_ = state::gone;
  home_.loop().timers().cancel(std::exchange(clock_, {}));
  const auto self = shared_from_this();
  home_.clients().leave(key_, this);
  door_.reset();
  if (seek_) not_seated(why);
  for (const auto& p : std::exchange(pending_, {})) send(p.what, why);
  for (const auto& a : std::exchange(waiting_, {})) send(a, why);
}

void client::on_stream_closed() {
  --readers_;
  seen_ = std::chrono::steady_clock::now();
  arm_timer();
}

instant client::deadline() const {
  const auto& times = home_.setup();
  auto time = times.idle;
  if (place_.is() == place::status::running && has_read_ && times.grace.count() > 0)
    time = time.count() == 0 ? times.grace : std::min(times.grace, time);
  return readers_ > 0 || time.count() == 0 ? instant::max() : seen_ + time;
}

// Armed for what was due soonest; mostly that has moved on when it comes.
void client::arm_timer() {
  if (state_ == state::gone) return;
  auto& timers = home_.loop().timers();
  timers.cancel(std::exchange(clock_, {}));
  if (deadline() == instant::max()) return;
  clock_ = timers.arm(deadline(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->clock_ = {};
    if (std::chrono::steady_clock::now() < self->deadline()) return self->arm_timer();
    self->leave(unknown_client());
  });
}

void client::send(const ask& a, response&& r) { a.to.send(home_, std::move(r)); }

void client::send(const ask& a, const error& e) {
  if (a.reader) return set_player(home_, a.reader, nullptr);
  a.to.send(home_, e);
}

}  // namespace gamehub::gateways::http::server
