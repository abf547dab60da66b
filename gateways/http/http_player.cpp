#include "gateways/http/http_player.hpp"

#include "gateways/http/game_query.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/update_stream.hpp"
#include "gateways/http/webhook_requests.hpp"
#include "hub/base/json.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace gamehub::gateways::http {

namespace {

error unknown_client() {
  return plain(error_code::unknown_client, "no session has that client_id");
}

error too_many() {
  return plain(error_code::too_many_requests, "too many of your requests are unanswered");
}

// Returns the error for requests of a closed session.
error error_after(close_reason why) {
  switch (why) {
    case close_reason::draining: return from(refusal::draining);
    case close_reason::hub_full: return from(refusal::hub_full);
    case close_reason::address_limit: return from(refusal::address_limit);
    case close_reason::banned: return kept_out();
    case close_reason::failed:
      return plain(error_code::hub_full, "something went wrong in the hub: try again");
    case close_reason::client_left:
    case close_reason::protocol_error:
    case close_reason::slow_reader:
    case close_reason::handshake_timeout:
    case close_reason::idle:
    case close_reason::replaced:
    case close_reason::upgraded: return unknown_client();
  }
  return unknown_client();
}

// Returns the hub that the player of a session is at, or nothing.
std::optional<member_id> home_in(const refused& no) {
  const auto number = no.why == refusal::player_elsewhere ? read_integer(no.detail) : std::nullopt;
  if (!number || *number <= 0) return std::nullopt;
  return member_id{static_cast<std::uint64_t>(*number)};
}

bool is_refused_by_drain(const event& e) {
  const auto* const no = std::get_if<refused>(&e.what);
  return no != nullptr && no->why == refusal::draining;
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
  comes_to_its_player_ = who.relayed != nullptr;
  last_active_ = std::chrono::steady_clock::now();
  session_ = service_.context().accept(shared_from_this(), why);
  if (!session_ && why == close_reason::address_limit && service_.drop_unused(account_.get()))
    session_ = service_.context().accept(shared_from_this(), why);
  if (!session_) return leave(error_after(why));
  who.features = features;
  entering_ = submit(std::move(who), last_active_);
  arm_timer();
}

game_id http_player::game_of(const client_request& a) {
  if (a.stream) return a.stream->game();
  return a.game_id.empty() ? game_id{} : read_game(a.game_id).value_or(game_id{});
}

void http_player::on_request(client_request&& a) {
  last_active_ = std::chrono::steady_clock::now();
  service_.set_unused(*this, false);
  if (reported_kept_until_) report_presence();
  if (state_ == state::outside) made_by_play_ = a.what == operation::play;
  if (state_ == state::here) {
    run(a);
    return note_use();
  }
  if (state_ == state::closed) return send(a, unknown_client());
  // A combined stream is a request for each of its games.
  if (!a.stream && queued_requests_.size() >= limits::http_requests_in_flight_max)
    return send(a, too_many());
  queued_requests_.push_back(std::move(a));
}

void http_player::run(client_request& a) {
  if (find_seat(a)) return;
  if (a.what != operation::play) made_by_play_ = false;
  switch (a.what) {
    case operation::connect: return connect(a);
    case operation::play: return play(a);
    case operation::rematch: return rematch(a);
    case operation::decline: return decline(a);
    case operation::offer:
    case operation::claim: return make_offer(a);
    case operation::move:
    case operation::chat: return make_move(a);
    case operation::quit: return quit(a);
    case operation::rename: return rename(a);
    case operation::invitation: return show_invitation(a);
    case operation::updates: return read_updates(a);
    case operation::game: return show_game(a);
    case operation::replay: return show_replay(a);
    case operation::mine: return list_games(a);
    case operation::set_webhook: return set_webhook(service_, key_, a);
    case operation::follow:  // an `updates` for each game
    case operation::engines:
    case operation::engine:
    case operation::games:
    case operation::webhook:
    case operation::remove_webhook:
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
  if (!a.client_id.empty()) to.text("client_id", a.client_id);
  to.text("name", name_);
  to.end('}');
  send(a, std::move(r));
}

void http_player::play(client_request& a) {
  const auto& wanted = *a.play;
  const bool joins = wanted.join || !wanted.invitation.empty();
  if (seek_ && !wanted.resume) {
    if (!joins) return seek_seat(a, {});
    if (seek_->later.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
    return seek_->later.push_back(std::move(a));
  }
  if (wanted.resume && !game_.has_seat()) return refuse_play(a, from(refusal::cannot_resume));
  // The game of an invitation that the client made itself.
  const bool own =
      wanted.join ? wanted.join == game_.id() : joins && wanted.invitation == game_.invitation();
  if (wanted.resume || (game_.has_seat() && own)) return answer_seat(std::move(a));
  const bool stays = !joins && !wanted.new_game;
  if (game_.is() == client_game_state::status::waiting && stays) return answer_seat(std::move(a));
  if (!wanted.keep && (shown_unordered_ || !asleep_.empty()) && running_games().size() > 1)
    return refuse_play(a, bad_request("you play several games: give keep=true, or quit one by its "
                                      "game_id"));
  seek what;
  what.keeps = wanted.keep;
  what.engines = {wanted.engine};
  what.options = {wanted.options};
  what.clock = wanted.clock;
  what.seat_at_once = what.reserve_game = true;
  what.seat = wanted.seat;
  what.against_engine = wanted.against_engine;
  what.level = wanted.level;
  what.closed = wanted.closed;
  what.invitation = wanted.invitation;
  what.opponent = wanted.opponent;
  what.opponent_ready = wanted.opponent_ready;
  what.others = wanted.others;
  what.join = wanted.join;
  what.replaces = true;
  what.features = features;
  seek_seat(a, std::move(what));
}

void http_player::refuse_play(client_request& a, const error& why) {
  if (!made_by_play_ || seek_) return send(a, why);
  seek_ = std::make_unique<seek_operation>();
  seek_->requests.push_back(std::move(a));
  on_not_seated(why);
}

void http_player::rematch(client_request& a) {
  choose(a);
  if (auto other = game_.why_not(a.game_id)) return send(a, *other);
  if (game_.is() != client_game_state::status::ended)
    return send(a, plain(error_code::unknown_game, "the game has not ended"));
  seek_seat(a, gamehub::rematch{game_.id()});
}

void http_player::decline(client_request& a) {
  choose(a);
  if (auto other = game_.why_not(a.game_id)) return send(a, *other);
  submit(a, gamehub::decline{game_.id()});
}

void http_player::make_offer(client_request& a) {
  if (const auto unclear = name_game(a)) return send(a, *unclear);
  const auto& game = named(a);
  if (auto other = game.why_not(a.game_id)) return send(a, *other);
  if (auto idle = game.why_idle()) return send(a, *idle);
  a.offer.game = game.id();
  submit(a, a.what == operation::claim ? intent{claim{game.id()}} : intent{a.offer});
}

void http_player::make_move(client_request& a) {
  if (const auto unclear = name_game(a)) return send(a, *unclear);
  const auto& game = named(a);
  if (auto other = game.why_not(a.game_id)) return send(a, *other);
  // The opponent's arrival may be known elsewhere first, so the hub decides.
  if (auto idle = game.why_idle(); idle && game.is() != client_game_state::status::waiting)
    return send(a, *idle);
  if (a.what == operation::chat)
    if (const auto no = chat_.check_and_add(a.message, false, a.received)) return send(a, *no);
  if (a.what == operation::chat) return submit(a, chat{game.id(), std::move(a.message)});
  submit(a, gamehub::play{game.id(), std::move(a.move), a.repeated_after});
}

void http_player::quit(client_request& a) {
  if (const auto unclear = name_game(a)) return send(a, *unclear);
  const auto& game = named(a);
  if (auto other = game.why_not(a.game_id)) return send(a, *other);
  if (game.is() == client_game_state::status::ended)
    return send(a, plain(error_code::unknown_game, "the game has ended"));
  submit(a, gamehub::leave{game.id()});
}

std::vector<const client_game_state*> http_player::running_games() const {
  std::vector<const client_game_state*> out;
  for (const auto& each : asleep_) out.push_back(&each);
  for (const auto& each : others_) out.push_back(&each);
  out.push_back(&game_);
  std::erase_if(out,
                [](const auto* each) { return each->is() != client_game_state::status::running; });
  return out;
}

std::optional<error> http_player::name_game(client_request& a) const {
  if (!a.game_id.empty() || (!shown_unordered_ && asleep_.empty())) return std::nullopt;
  const auto running = running_games();
  if (running.size() > 1)
    return bad_request("you play several games: name the one you mean by game_id");
  if (running.size() == 1) a.game_id = game_json(running.front()->id());
  return std::nullopt;
}

client_game_state& http_player::state_for(game_id game) {
  if (seek_ && seek_->old && seek_->old->id() == game) return *seek_->old;
  const auto at = std::find_if(others_.begin(), others_.end(),
                               [game](const auto& each) { return each.id() == game; });
  return at == others_.end() ? game_ : *at;
}

client_game_state& http_player::named(const client_request& a) {
  const auto game = read_game(a.game_id);
  return game ? state_for(*game) : game_;
}

// A game by the second stays the latest one, which another seat replaces.
void http_player::choose(const client_request& a) {
  auto& wanted = named(a);
  if (seek_ || &wanted == &game_ || game_.is() == client_game_state::status::waiting) return;
  const auto& clock = game_.clock();
  const bool lasts = clock && service_.setup().clocks.away_time(*clock);
  if (game_.is() != client_game_state::status::running || lasts) std::swap(wanted, game_);
}

void http_player::keep_beside(client_game_state game) {
  if (others_.size() >= limits::games_kept_max)
    if (const auto over = std::find_if(
            others_.begin(), others_.end(),
            [](const auto& each) { return each.is() == client_game_state::status::ended; });
        over != others_.end())
      others_.erase(over);
  others_.push_back(std::move(game));
}

bool http_player::plays() const {
  constexpr auto running = client_game_state::status::running;
  return game_.is() == running || std::any_of(others_.begin(), others_.end(), [](const auto& each) {
           return each.is() == running;
         });
}

void http_player::list_games(const client_request& a) {
  const auto now = std::chrono::steady_clock::now();
  const auto wall = base::wall_now();
  std::vector<const client_game_state*> all;
  for (const auto& each : asleep_) all.push_back(&each);
  for (const auto& each : others_) all.push_back(&each);
  if (ended_) all.push_back(ended_.get());
  if (seek_ && seek_->old) all.push_back(&*seek_->old);
  all.push_back(&game_);
  std::erase_if(all, [](const auto* each) {
    return each->is() == client_game_state::status::none || !each->id();
  });
  std::stable_sort(all.begin(), all.end(), [now](const auto* x, const auto* y) {
    return x->how_urgent(now) < y->how_urgent(now);
  });
  response r;
  base::json_writer to{r.body};
  to.begin('{');
  to.key("games").begin('[');
  for (const auto* each : all) each->append_listed(to, now, wall);
  to.end(']');
  to.end('}');
  send(a, std::move(r));
}

void http_player::rename(client_request& a) { submit(a, change_name{a.message}); }

void http_player::show_invitation(const client_request& a) {
  send_invitation(service_, a.message, a.message == game_.invitation(), account_, a.received, a.to);
}

void http_player::read_updates(const client_request& a) {
  const auto* game = state_of(a.stream->game());
  if (game == nullptr) return start_stream(service_, a.stream, nullptr, std::nullopt);
  ++open_streams_;
  if (a.stream->wants_offers()) {
    ++offer_streams_;
    reads_offers_ = true;
    service_.loop().timers().cancel(std::exchange(offers_timer_, {}));
  }
  has_streamed_ = has_streamed_ || game == &game_ || game->has_seat();
  report_presence();
  start_stream(service_, a.stream, shared_from_this(), game->seat(), game->offers());
}

void http_player::show_game(const client_request& a) {
  const auto game = *read_game(a.game_id);
  const auto* mine = state_of(game);
  auto offers = mine == nullptr ? std::vector<offer_update>{} : mine->offers();
  std::make_shared<game_query>(service_, game, seat_in(game), a.history, a.to, std::move(offers))
      ->start();
}

void http_player::show_replay(const client_request& a) {
  const auto game = *read_game(a.game_id);
  send_replay(service_, game, seat_in(game), a.to);
}

const client_game_state* http_player::state_of(game_id game) const {
  if (game_.id() == game) return &game_;
  if (ended_ && ended_->id() == game) return ended_.get();
  const auto at = std::find_if(others_.begin(), others_.end(),
                               [game](const auto& each) { return each.id() == game; });
  return at == others_.end() ? nullptr : &*at;
}

std::optional<seat_index> http_player::seat_in(game_id game) const {
  const auto* mine = state_of(game);
  return mine == nullptr ? std::nullopt : std::optional{mine->seat()};
}

void http_player::seek_seat(client_request& a, intent how) {
  if (seek_) {
    if (seek_->requests.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
    return seek_->requests.push_back(std::move(a));
  }
  seek_ = std::make_unique<seek_operation>();
  const auto received = a.received;
  seek_->keeps = a.play && a.play->keep;
  seek_->requests.push_back(std::move(a));
  seek_->number = submit(std::move(how), received);
}

void http_player::continue_seek(const event& e) {
  using step = seek_operation::step;
  if (seek_->at == step::leaving) return on_seated();
  if (seek_->at == step::removing) return leave(error{seek_->why});
  if (const auto* no = std::get_if<refused>(&e.what)) {
    const auto home = home_in(*no);
    return home ? leave_for(*home) : on_not_seated(from(no->why, no->detail));
  }
  const auto* at = std::get_if<placed>(&e.what);
  if (at == nullptr || !at->begins || game_.is() == client_game_state::status::ended)
    return leave_old_game();
  seek_->at = step::beginning;
}

// The new seat is certain.
void http_player::leave_old_game() {
  if (seek_->keeps && seek_->old) {
    keep_beside(*std::exchange(seek_->old, std::nullopt));
    return on_seated();
  }
  if (!seek_->old || seek_->old->is() != client_game_state::status::running) return on_seated();
  seek_->at = seek_operation::step::leaving;
  seek_->number = submit(gamehub::leave{seek_->old->id()}, seek_->requests.front().received);
}

void http_player::on_seated() {
  made_by_play_ = false;
  const auto done = std::exchange(seek_, nullptr);
  for (auto& a : done->requests) answer_seat(std::move(a));
  for (auto& a : done->later) run(a);
}

void http_player::on_not_seated(const error& why) {
  if (state_ != state::closed && made_by_play_ && seek_->at != seek_operation::step::removing) {
    // Its name is free for the next request of the client.
    seek_->at = seek_operation::step::removing;
    seek_->why = why;
    seek_->number = submit(sign_out{}, seek_->requests.front().received);
    return;
  }
  const auto done = std::exchange(seek_, nullptr);
  for (const auto& a : done->requests) send(a, why);
  for (auto& a : done->later) state_ == state::closed ? send(a, why) : run(a);
}

void http_player::answer_seat(client_request&& a) {
  if (game_.is() != client_game_state::status::running) return send_seat(a, {});
  // The service copies its functions.
  const auto kept = std::make_shared<client_request>(std::move(a));
  service_.games().query_clock(game_.id(), [self = shared_from_this(), kept](const auto& clock) {
    self->send_seat(*kept, clock);
  });
}

void http_player::send_seat(const client_request& a, const game_clock& clock) {
  response r;
  r.body.reserve(256);
  game_.append_members(r.body, service_.setup().public_url, clock,
                       std::chrono::steady_clock::now());
  if (!a.client_id.empty()) {
    r.body += ",\"client_id\":";
    base::json::append_quoted(a.client_id, r.body);
  }
  if (a.opens) {
    r.body += ",\"name\":";
    base::json::append_quoted(name_, r.body);
  }
  r.body += '}';
  send(a, std::move(r));
}

void http_player::submit(client_request& a, intent what, bool finds_seat) {
  if (pending_.size() >= limits::http_requests_in_flight_max) return send(a, too_many());
  const auto number = submit(std::move(what), a.received);
  pending_.push_back({number, std::move(a), finds_seat});
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
    leave_old_game();
  run_queued_requests();
  note_use();
}

void http_player::note_use() {
  const bool used = game_.is() == client_game_state::status::waiting || plays();
  service_.set_unused(
      *this, state_ == state::here && !used && !seek_ && pending_.empty() && open_streams_ == 0);
}

void http_player::on_event(const event& e) {
  if (const auto* p = std::get_if<placed>(&e.what)) return on_placed(e, *p);
  if (const auto* o = std::get_if<offer_update>(&e.what)) return on_offer(e, *o);
  auto& game = state_for(e.game);
  if (const auto* r = std::get_if<renamed>(&e.what)) game.apply(e.game, *r);
  if (const auto* p = std::get_if<position_ref>(&e.what)) game.apply(e.game, *p);
  const auto* s = std::get_if<started>(&e.what);
  if (s == nullptr) return;
  // It began while the other seat was asked for.
  if (e.game == given_up_ && game.id() != e.game) {
    submit(gamehub::leave{e.game}, {});
    return;
  }
  // Several go on when the player comes back.
  const bool shows_other =
      &game == &game_ && plays() && game_.has_seat() && game_.id() != e.game && !seek_;
  if (shows_other) {
    keep_beside(game_);
    shown_unordered_ = true;
  }
  // A game that was asleep while the client was here is shown again.
  const bool again = game.id() == e.game && game.is() == client_game_state::status::running;
  game.apply(e.game, *s);
  if (again || &game != &game_) return;
  ended_.reset();
  // A player that read its updates while it waited is one that reads them.
  has_streamed_ = has_streamed_ || open_streams_ > 0;
  if (has_streamed_ && open_streams_ == 0) {
    // It is away, and has all of the grace time to come back to its game.
    last_active_ = std::chrono::steady_clock::now();
    arm_timer();
  }
  report_presence();
}

void http_player::on_placed(const event& e, const placed& p) {
  const bool again = seek_ && seek_->requests.front().what == operation::rematch &&
                     game_.is() == client_game_state::status::ended;
  if (seek_ && game_.is() == client_game_state::status::running) seek_->old = game_;
  if (game_.is() == client_game_state::status::waiting) given_up_ = game_.id();
  if (again) {
    ended_ = std::make_unique<client_game_state>(game_);
  } else {
    const auto* over = ended_ ? ended_.get() : &game_;
    if (reads_offers_ && over->is() == client_game_state::status::ended)
      service_.publish_offer(shared_from_this(), over->id(), std::nullopt);
    ended_.reset();
  }
  game_.apply(e.game, p);
  shown_unordered_ = false;
  has_streamed_ = false;
  report_presence();
}

void http_player::on_offer(const event& e, const offer_update& o) {
  // The log of the game has the others.
  if (o.what != offer_kind::rematch) return;
  auto& game = ended_ && ended_->id() == e.game ? *ended_ : state_for(e.game);
  if (!game.apply(e.game, o)) return;
  service_.publish_offer(shared_from_this(), e.game, o);
  if (o.step == offer_step::offered && reads_offers_ && offer_streams_ == 0 && !offers_timer_)
    leave_offers();
}

void http_player::leave_waiting() {
  if (ended_) {
    game_ = *ended_;
    ended_.reset();
  } else {
    game_.leave();
  }
}

void http_player::leave_offers() {
  if (state_ != state::here || seek_) return;
  if (game_.is() == client_game_state::status::ended && game_.is_offered()) {
    submit(gamehub::decline{game_.id(), offer_cause::left}, {});
  } else if (ended_ && game_.is() == client_game_state::status::waiting) {
    given_up_ = game_.id();
    leave_waiting();
    submit(gamehub::leave{given_up_, true}, {});
  }
}

void http_player::on_reply(const event& e) {
  if (e.game) service_.record_answer(e);
  if (e.answers.ticket == entering_) return on_signed_in(e);
  if (seek_ && e.answers.ticket == seek_->number) return continue_seek(e);
  const auto at = std::find_if(pending_.begin(), pending_.end(),
                               [&](const auto& p) { return p.number == e.answers.ticket; });
  if (at == pending_.end()) return;
  auto [number, a, finds_seat] = std::move(*at);
  pending_.erase(at);
  // It may have been carried out by the hub that has the game now, which answers it then.
  if (is_refused_by_drain(e) && a.kept && a.kept->counts_once)
    return pending_.push_back({number, std::move(a), finds_seat});
  if (!finds_seat) return complete_request(a, e);
  const auto* no = std::get_if<refused>(&e.what);
  if (no != nullptr && no->why != refusal::not_in_game) return send(a, from(no->why, no->detail));
  carry_out_found(a, e);
}

void http_player::on_signed_in(const event& e) {
  if (const auto* no = std::get_if<refused>(&e.what)) {
    if (const auto home = home_in(*no)) return leave_for(*home);
    return leave(no->why == refusal::cannot_resume ? unknown_client() : from(no->why, no->detail));
  }
  const auto* who = std::get_if<signed_in>(&e.what);
  if (who == nullptr) return;
  name_ = who->name;
  entering_ = 0;
  games_expected_ = who->games;
  partly_ = who->returned;
  if (who->games == 0) state_ = state::here;
}

// A refusal without a ticket: the game that the player waits for, or that was about to start, will
// not begin.
void http_player::on_refused(const refused& no) {
  if (const auto home = home_in(no)) return leave_for(*home);
  const bool keeps_old = seek_ && seek_->old;
  if (keeps_old)
    game_ = *seek_->old;
  else if (game_.is() == client_game_state::status::waiting)
    leave_waiting();
  if (seek_ && seek_->at != seek_operation::step::seeking) on_not_seated(from(no.why, no.detail));
}

void http_player::run_queued_requests() {
  const auto shown =
      std::count_if(others_.begin(), others_.end(), [](const auto& each) { return each.shown(); });
  if (state_ == state::entering && entering_ == 0 && game_.shown() && shown + 1 >= games_expected_)
    state_ = state::here;
  if (state_ != state::here) return;
  for (auto& a : std::exchange(queued_requests_, {})) run(a);
}

void http_player::complete_request(client_request& a, const event& e) {
  if (const auto* no = std::get_if<refused>(&e.what)) {
    if (a.what == operation::rename) {
      auto why = from(no->why, no->detail);
      if (no->why == refusal::rate_limited) why.retry_after = limits::renames_in;
      return send(a, why);
    }
    // The request was sent in this game, whose end has not arrived here yet.
    if (auto idle = named(a).why_idle(); idle && no->why == refusal::not_your_turn)
      return send(a, *idle);
    const bool ended_meanwhile = no->why == refusal::not_in_game && a.what != operation::quit &&
                                 a.what != operation::decline;
    return send(a, from(ended_meanwhile ? refusal::game_over : no->why, no->detail));
  }
  if (a.what == operation::rename) {
    name_ = a.message;
    response r;
    base::json_writer to{r.body};
    to.begin('{');
    to.text("name", name_);
    to.end('}');
    return send(a, std::move(r));
  }
  if (a.what == operation::quit && &named(a) == &game_ &&
      game_.is() == client_game_state::status::waiting)
    leave_waiting();
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
  service_.loop().timers().cancel(std::exchange(offers_timer_, {}));
  const auto self = shared_from_this();
  service_.clients().remove(key_, this);
  session_.reset();
  if (seek_) on_not_seated(why);
  for (const auto& p : std::exchange(pending_, {})) send(p.what, why);
  for (const auto& a : std::exchange(queued_requests_, {})) send(a, why);
}

// The player is at another hub, which answers the requests of the client.
void http_player::leave_for(member_id home) {
  auto queued = std::exchange(queued_requests_, {});
  for (auto& each : std::exchange(pending_, {})) queued.push_back(std::move(each.what));
  if (const auto seeks = std::exchange(seek_, nullptr)) {
    for (auto& a : seeks->requests) queued.push_back(std::move(a));
    for (auto& a : seeks->later) queued.push_back(std::move(a));
  }
  leave(unknown_client());
  auto& relay = *service_.relay();
  relay.set_home(key_, home);
  for (auto& a : queued) {
    if (!a.kept) {
      send(a, unknown_client());
      continue;
    }
    ++a.kept->found;
    boost::asio::post(a.kept->from->service().loop().io(),
                      [&relay, what = a.kept, home] { relay.pass(what, home); });
  }
}

void http_player::on_stream_closed(bool offers) {
  --open_streams_;
  if (offers && --offer_streams_ == 0 && state_ != state::closed)
    offers_timer_ = service_.loop().timers().arm(
        std::chrono::steady_clock::now() + limits::http_offers_left_after,
        [weak = weak_from_this()] {
          const auto self = weak.lock();
          if (!self) return;
          self->offers_timer_ = {};
          self->leave_offers();
        });
  last_active_ = std::chrono::steady_clock::now();
  note_use();
  arm_timer();
  report_presence();
}

void http_player::report_presence() {
  const bool has_seat = game_.is() == client_game_state::status::waiting || plays();
  const bool away = has_seat && has_streamed_ && open_streams_ == 0;
  const auto kept_until = away ? std::optional{deadline()} : std::nullopt;
  if (kept_until == reported_kept_until_ || !session_) return;
  reported_kept_until_ = kept_until;
  session_->set_away(kept_until);
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
  if (a.stream) return start_stream(service_, a.stream, nullptr, std::nullopt);
  if (!answer_guest(service_, a, account_)) a.to.send(service_, e);
}

}  // namespace gamehub::gateways::http
