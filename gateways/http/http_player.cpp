#include "gateways/http/http_player.hpp"

#include "gateways/http/game_query.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/update_stream.hpp"
#include "hub/base/json.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace gamehub::gateways::http {

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

// Returns the error for requests of a closed session.
error error_after(close_reason why) {
  switch (why) {
    case close_reason::draining: return from(refusal::draining);
    case close_reason::hub_full: return from(refusal::hub_full);
    case close_reason::address_limit: return from(refusal::address_limit);
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

response empty_response() {
  response out;
  out.body = "{}";
  return out;
}

}  // namespace

http_player::http_player(loop_service& service, const client_key& key, address_account_ref account)
    : service_(service),
      key_(key),
      account_(std::move(account)),
      id_(service.loop().next_attachment()) {}

http_player::~http_player() = default;

void http_player::enter(sign_in who) {
  auto why = close_reason::hub_full;
  state_ = state::entering;
  last_active_ = std::chrono::steady_clock::now();
  session_ = service_.context().accept(shared_from_this(), why);
  if (!session_ && why == close_reason::address_limit && service_.drop_unused(account_.get()))
    session_ = service_.context().accept(shared_from_this(), why);
  if (!session_) return leave(error_after(why));
  entering_ = submit(std::move(who), last_active_);
  arm_timer();
}

void http_player::on_request(client_request a) {
  last_active_ = std::chrono::steady_clock::now();
  service_.set_unused(*this, false);
  if (state_ == state::here) {
    run(a);
    return note_use();
  }
  if (state_ == state::closed) return send(a, unknown_client());
  if (queued_requests_.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
  queued_requests_.push_back(std::move(a));
}

void http_player::run(client_request& a) {
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
    case operation::page: return;  // not handled by a player
  }
}

void http_player::connect(const client_request& a) {
  response r;
  base::json_writer to{r.body};
  to.begin('{');
  to.text("client_id", a.client_id);
  to.text("name", name_);
  to.end('}');
  send(a, std::move(r));
}

void http_player::play(client_request& a) {
  const auto& wanted = *a.play;
  const bool has_seat = game_.is() == client_game_state::status::waiting ||
                        game_.is() == client_game_state::status::running;
  if (seek_ && !wanted.resume) return seek_seat(a, {});
  if (wanted.resume && !has_seat) return send(a, from(refusal::cannot_resume));
  if (game_.is() == client_game_state::status::waiting || wanted.resume) return answer_seat(a);
  seek what;
  what.engines = {wanted.engine};
  what.options = {wanted.options};
  what.seat_at_once = what.reserve_game = true;
  what.seat = wanted.seat;
  what.against_engine = wanted.against_engine;
  what.level = wanted.level;
  what.closed = wanted.closed;
  what.invitation = wanted.invitation;
  what.opponent = wanted.opponent;
  what.opponent_ready = wanted.opponent_ready;
  seek_seat(a, std::move(what));
}

void http_player::rematch(client_request& a) {
  if (auto other = game_.why_not(a.game_id)) return send(a, *other);
  if (game_.is() != client_game_state::status::ended)
    return send(a, with_code(error_code::unknown_game, "the game has not ended"));
  seek_seat(a, gamehub::rematch{game_.id()});
}

void http_player::make_move(client_request& a) {
  if (auto other = game_.why_not(a.game_id)) return send(a, *other);
  // The opponent's arrival may be known elsewhere first, so the hub decides.
  if (auto idle = game_.why_idle(); idle && game_.is() != client_game_state::status::waiting)
    return send(a, *idle);
  if (a.what == operation::chat)
    if (const auto no = chat_.check_and_add(a.message, false, a.received)) return send(a, *no);
  if (a.what == operation::chat) return submit(a, chat{game_.id(), std::move(a.message)});
  submit(a, gamehub::play{game_.id(), std::move(a.move)});
}

void http_player::quit(client_request& a) {
  if (auto other = game_.why_not(a.game_id)) return send(a, *other);
  if (game_.is() == client_game_state::status::ended)
    return send(a, with_code(error_code::unknown_game, "the game has ended"));
  // A waiting player has no game id in the hub.
  submit(a,
         gamehub::leave{game_.is() == client_game_state::status::waiting ? game_id{} : game_.id()});
}

void http_player::read_updates(const client_request& a) {
  if (game_.is() == client_game_state::status::none || game_.id() != a.stream->game())
    return set_player(service_, a.stream, nullptr);
  ++open_streams_;
  has_streamed_ = true;
  set_player(service_, a.stream, shared_from_this());
}

void http_player::show_game(const client_request& a) {
  const auto game = *read_game(a.game_id);
  const bool mine = game_.is() != client_game_state::status::none && game_.id() == game;
  std::make_shared<game_query>(service_, game, mine ? std::optional{game_.seat()} : std::nullopt,
                               a.history, a.to)
      ->start();
}

void http_player::show_replay(const client_request& a) {
  const auto game = *read_game(a.game_id);
  send_replay(service_, game, game_.is() != client_game_state::status::none && game_.id() == game,
              a.to);
}

void http_player::seek_seat(client_request& a, intent how) {
  if (seek_) {
    if (seek_->requests.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
    return seek_->requests.push_back(std::move(a));
  }
  seek_ = std::make_unique<seek_operation>();
  const auto received = a.received;
  seek_->requests.push_back(std::move(a));
  if (game_.is() == client_game_state::status::running) {
    seek_->at = seek_operation::step::leaving;
    seek_->next = std::move(how);
    seek_->number = submit(gamehub::leave{game_.id()}, received);
  } else {
    seek_->number = submit(std::move(how), received);
  }
}

void http_player::continue_seek(const event& e) {
  if (seek_->at == seek_operation::step::leaving) {
    seek_->at = seek_operation::step::seeking;
    seek_->number = submit(std::move(seek_->next), seek_->requests.front().received);
    return;
  }
  if (const auto* no = std::get_if<refused>(&e.what))
    return on_not_seated(from(no->why, no->detail));
  const auto* at = std::get_if<placed>(&e.what);
  if (at == nullptr || !at->begins || game_.is() == client_game_state::status::ended)
    return on_seated();
  seek_->at = seek_operation::step::beginning;
}

void http_player::on_seated() {
  const auto done = std::exchange(seek_, nullptr);
  for (const auto& a : done->requests) answer_seat(a);
}

void http_player::on_not_seated(const error& why) {
  const auto done = std::exchange(seek_, nullptr);
  for (const auto& a : done->requests) send(a, why);
}

void http_player::answer_seat(const client_request& a) {
  response r;
  r.body.reserve(256);
  game_.append_members(r.body, service_.setup().public_url);
  if (!a.client_id.empty()) {
    r.body += ",\"client_id\":";
    base::json::append_quoted(a.client_id, r.body);
    r.body += ",\"name\":";
    base::json::append_quoted(name_, r.body);
  }
  r.body += '}';
  send(a, std::move(r));
}

void http_player::submit(client_request& a, intent what) {
  if (pending_.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
  const auto number = submit(std::move(what), a.received);
  pending_.push_back({number, std::move(a)});
}

ticket http_player::submit(intent what, base::instant received) {
  const auto number = ++last_ticket_;
  session_->submit({{id_, service_.loop().next_trace(), received, number}, std::move(what)});
  return number;
}

void http_player::deliver(const event& e) {
  if (state_ == state::closed) return;
  const bool played = plays();
  on_event(e);
  // The idle time begins, which may be shorter than the rest of the grace time.
  if (played && !plays()) {
    last_active_ = std::chrono::steady_clock::now();
    arm_timer();
  }
  if (e.answers.ticket != 0)
    on_reply(e);
  else if (const auto* no = std::get_if<refused>(&e.what))
    on_refused(*no);
  if (state_ == state::closed) return;
  if (seek_ && seek_->at == seek_operation::step::beginning && game_.shown() &&
      game_.is() != client_game_state::status::waiting)
    on_seated();
  run_queued_requests();
  note_use();
}

void http_player::note_use() {
  const bool plays = game_.is() == client_game_state::status::waiting ||
                     game_.is() == client_game_state::status::running;
  service_.set_unused(
      *this, state_ == state::here && !plays && !seek_ && pending_.empty() && open_streams_ == 0);
}

void http_player::on_event(const event& e) {
  if (const auto* p = std::get_if<placed>(&e.what)) game_.apply(e.game, *p);
  if (const auto* p = std::get_if<position_ref>(&e.what)) game_.apply(e.game, *p);
  const auto* s = std::get_if<started>(&e.what);
  if (s == nullptr) return;
  game_.apply(e.game, *s);
  has_streamed_ = open_streams_ > 0;
}

void http_player::on_reply(const event& e) {
  if (e.game) service_.record_answer(e);
  if (e.answers.ticket == entering_) return on_signed_in(e);
  if (seek_ && e.answers.ticket == seek_->number) return continue_seek(e);
  const auto at = std::find_if(pending_.begin(), pending_.end(),
                               [&](const auto& p) { return p.number == e.answers.ticket; });
  if (at == pending_.end()) return;
  auto a = std::move(at->what);
  pending_.erase(at);
  complete_request(a, e);
}

void http_player::on_signed_in(const event& e) {
  if (const auto* no = std::get_if<refused>(&e.what))
    return leave(no->why == refusal::cannot_resume ? unknown_client() : from(no->why));
  const auto* who = std::get_if<signed_in>(&e.what);
  if (who == nullptr) return;
  name_ = who->name;
  entering_ = 0;
  if (who->games == 0) state_ = state::here;
}

// A refusal without a ticket: of the seek, or of a game that was about to start.
void http_player::on_refused(const refused& no) {
  if (game_.is() == client_game_state::status::waiting) game_.leave();
  if (seek_) on_not_seated(from(no.why, no.detail));
}

void http_player::run_queued_requests() {
  if (state_ == state::entering && entering_ == 0 && game_.shown()) state_ = state::here;
  if (state_ != state::here) return;
  for (auto& a : std::exchange(queued_requests_, {})) run(a);
}

void http_player::complete_request(client_request& a, const event& e) {
  if (const auto* no = std::get_if<refused>(&e.what)) {
    // The request was sent in this game, whose end has not arrived here yet.
    if (auto idle = game_.why_idle(); idle && no->why == refusal::not_your_turn)
      return send(a, *idle);
    const bool ended_meanwhile = no->why == refusal::not_in_game && a.what != operation::quit;
    return send(a, from(ended_meanwhile ? refusal::game_over : no->why, no->detail));
  }
  if (a.what == operation::quit && game_.is() == client_game_state::status::waiting) game_.leave();
  send(a, empty_response());
}

void http_player::close(close_reason why) {
  if (state_ != state::closed) leave(error_after(why));
}

void http_player::set_session(std::unique_ptr<session_handle> to) {
  if (state_ != state::closed) session_ = std::move(to);
}

void http_player::leave(const error& why) {
  state_ = state::closed;
  service_.set_unused(*this, false);
  service_.loop().timers().cancel(std::exchange(timer_, {}));
  const auto self = shared_from_this();
  service_.clients().remove(key_, this);
  session_.reset();
  if (seek_) on_not_seated(why);
  for (const auto& p : std::exchange(pending_, {})) send(p.what, why);
  for (const auto& a : std::exchange(queued_requests_, {})) send(a, why);
}

void http_player::on_stream_closed() {
  --open_streams_;
  last_active_ = std::chrono::steady_clock::now();
  note_use();
  arm_timer();
}

base::instant http_player::deadline() const {
  const auto& times = service_.setup();
  auto time = times.idle;
  // The idle time never takes a seat before the grace time does.
  if (plays() && times.grace.count() > 0) {
    if (has_streamed_)
      time = times.grace;
    else if (time.count() > 0)
      time = std::max(time, times.grace);
  }
  return open_streams_ > 0 || time.count() == 0 ? base::instant::max() : last_active_ + time;
}

// The timer keeps its earliest deadline and checks it when it fires.
void http_player::arm_timer() {
  if (state_ == state::closed) return;
  auto& timers = service_.loop().timers();
  timers.cancel(std::exchange(timer_, {}));
  if (deadline() == base::instant::max()) return;
  timer_ = timers.arm(deadline(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->timer_ = {};
    if (std::chrono::steady_clock::now() < self->deadline()) return self->arm_timer();
    self->leave(unknown_client());
  });
}

void http_player::send(const client_request& a, response&& r) { a.to.send(service_, std::move(r)); }

void http_player::send(const client_request& a, const error& e) {
  if (a.stream) return set_player(service_, a.stream, nullptr);
  a.to.send(service_, e);
}

}  // namespace gamehub::gateways::http
