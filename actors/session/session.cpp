#include "actors/session.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "actors/name_book.hpp"

namespace gamehub::actors {

namespace {

class attached_session_handle final : public session_handle {
 public:
  attached_session_handle(session_actor to, attachment_id from, std::atomic<std::uint32_t>& stands)
      : to_(std::move(to)), from_(from), stands_(stands) {
    stands_.fetch_add(1, std::memory_order_relaxed);
  }
  ~attached_session_handle() override {
    stands_.fetch_sub(1, std::memory_order_relaxed);
    caf::anon_send(to_, detached{from_});
  }
  attached_session_handle(const attached_session_handle&) = delete;
  attached_session_handle& operator=(const attached_session_handle&) = delete;

  void submit(envelope e) override { caf::anon_send(to_, std::move(e)); }

 private:
  session_actor to_;
  attachment_id from_;
  std::atomic<std::uint32_t>& stands_;
};

}  // namespace

std::unique_ptr<session_handle> make_door(session_actor to, attachment_id from,
                                std::atomic<std::uint32_t>& stands) {
  return std::make_unique<attached_session_handle>(std::move(to), from, stands);
}

session::session(caf::actor_config& config, session_setup& setup, player_id id,
                 std::shared_ptr<attachment> client)
    : typed_loop_actor(config), setup_(setup), id_(id), wire_(setup.wire) {
  attachments_.emplace_back(std::move(client), home(), home());
  cells().sessions_opened.add();
  cells().sessions_open.add();
  set_deadline();
}

session::session(caf::actor_config& config, session_setup& setup, player_id id, std::string name)
    : typed_loop_actor(config),
      setup_(setup),
      id_(id),
      wire_(setup.wire),
      identity_(std::make_unique<identity>(identity{std::move(name), {}})),
      known_to_lobby_(true),
      received_intent_(true),
      awaits_return_(true) {
  player_.offer_was_lost();
  cells().sessions_opened.add();
  cells().sessions_open.add();
}

void session::prefetch() const {
  __builtin_prefetch(attachments_.data());
  __builtin_prefetch(player_.places().data());
}

bool session::receive(caf::message& what) {
  return dispatch(what, std::tuple{
                            [this](envelope& m) { take(m); },
                            [this](event& m) { on_event(m); },
                            [this](seated& m) { sit_down(m); },
                            [this](named& m) { name_given(m); },
                            [this](resume_accepted& m) {
                              if (pending_resume_) pending_resume_->to = std::move(m.to);
                            },
                            [this](not_resumed& m) { start_anew(m); },
                            [this](seek_answer& m) { place_found(m); },
                            [this](const forgotten&) { this->quit(); },
                            [this](attach_client& m) { join(m); },
                            [this](const detached& m) { on_detached(m.from); },
                            [this](const expel&) { be_expelled(); },
                            [this](const drain&) { on_drain(); },
                            [this](const parked& m) { rest(m); },
                            [this](const timer_up& m) { time_is_up(m.number); },
                        });
}

void session::take(envelope& m) {
  // Said before its client vanished, and passed on to here too late: there is nobody to answer.
  if (leaving_) return;
  received_intent_ = true;
  if (pending_resume_) return pending_resume_->said.push_back(std::move(m));
  std::visit([&](auto& what) { take(m.receipt, what); }, m.what);
}

void session::take(const receipt& r, sign_in& what) {
  if (identity_) return refuse(r, {}, refusal::already_signed_in);
  const auto brings = what.proposes_secret && !what.resume_secret.empty();
  identity_ = std::make_unique<identity>(
      identity{{}, brings ? what.resume_secret : setup_.secrets->secret()});
  known_to_lobby_ = true;
  if (what.resume_secret.empty())
    return tell(setup_.lobby,
                enter{self(), id_, std::move(what.name), identity_->secret, r, what.exact_name});
  // The attachment moves to the player it proves to be, which gives it a door of its own. This
  // session then hears that its attachment has gone, and ends.
  const auto at = std::find_if(attachments_.begin(), attachments_.end(),
                               [&](const attachment_ref& a) { return a.id() == r.from; });
  if (at == attachments_.end()) return;
  pending_resume_ = std::make_unique<returning>();
  pending_resume_->or_nobody = what.only_resume;
  attach_client moves{at->share(), &home(), wire_, what.resume_secret, r};
  tell(setup_.lobby,
       resume_request{self(), id_, std::move(what.resume_secret), std::move(what.name),
                      std::move(moves), brings, what.exact_name});
}

void session::take(const receipt& r, seek& what) { send_seek(r, what, {}); }

void session::send_seek(const receipt& r, seek& what, game_id rematch_of) {
  if (draining_) return refuse(r, {}, refusal::draining);
  if (const auto why = player_.why_no_seek(what)) return refuse(r, {}, *why);
  player_.sought(what);
  known_to_lobby_ = true;
  set_deadline();
  tell(setup_.lobby, seek_request{self(), id_, public_name(), std::move(what),
                                  static_cast<std::uint32_t>(player_.places().size()), wire_,
                                  &home(), r, rematch_of});
}

void session::take(const receipt& r, play& what) {
  if (auto* at = player_.find(what.game))
    return tell(at->game, play_request{at->seat, r, std::move(what.move)});
  refuse(r, what.game, player_.why_no_seat(what.game), std::move(what.move));
}

void session::take(const receipt& r, const leave& what) {
  if (what.only_waiting) return withdraw_seek(r, what.game);
  if (auto* at = player_.find(what.game)) return tell(at->game, leave_request{at->seat, r});
  if (player_.awaits(what.game)) return withdraw_seek(r, what.game);
  refuse(r, what.game, player_.why_no_seat(what.game));
}

void session::withdraw_seek(const receipt& r, game_id game) {
  if (!player_.waiting() && !player_.stands()) return refuse(r, game, refusal::not_in_game);
  player_.on_withdraw_sent();
  set_deadline();
  tell(setup_.lobby, withdraw_request{self(), id_, r});
}

void session::take(const receipt& r, chat& what) {
  if (setup_.rules != nullptr && setup_.rules->mutes(public_name()))
    return refuse(r, what.game, refusal::muted);
  if (auto* at = player_.find(what.game))
    return tell(at->game, chat_request{at->seat, r, std::move(what.text)});
  refuse(r, what.game, player_.why_no_seat(what.game));
}

void session::take(const receipt& r, const rematch& what) {
  if (!what.game || player_.find(what.game) != nullptr)
    return refuse(r, what.game, refusal::not_in_game);
  // What is played, and by which seat, is what the lobby finds of that game.
  seek like;
  like.engines.emplace_back();
  like.seat_at_once = like.reserve_game = true;
  send_seek(r, like, what.game);
}

void session::take(const receipt& r, challenge& what) {
  if (draining_) return refuse(r, {}, refusal::draining);
  if (!player_.stands()) return refuse(r, {}, refusal::not_in_game);
  tell(setup_.lobby, meet_request{self(), id_, std::move(what.opponent), what.game, r});
}

void session::on_event(event& e) {
  if (!e.game && std::holds_alternative<gamehub::done>(e.what))
    if (const auto* late = player_.on_withdrawn())
      return tell(late->game, leave_request{late->seat, e.answers});
  count(e);
  deliver(e);
  if (const auto* no = std::get_if<refused>(&e.what); no && no->why == refusal::opponent_left)
    player_.clear_crossed_move();
  if (const auto* p = std::get_if<position_ref>(&e.what); p != nullptr && (*p)->outcome)
    game_ended(e.game, *(*p)->outcome);
}

void session::game_ended(game_id id, const outcome& how) {
  const auto* at = player_.find(id);
  if (at == nullptr) return;
  tell(at->game, leave_request{at->seat, {}});
  if (player_.remove_seat(id, how) && !draining_) tell(setup_.lobby, place_free{id_});
  on_grace_expired();
}

void session::rest(const parked& m) {
  player_.leave_behind(m.game);
  on_grace_expired();
}

void session::on_grace_expired() {
  if (attachments_.empty() && !player_.playing()) return leave_hub();
  if (draining_ && !player_.playing()) return close_all(close_reason::draining);
  if (!attachments_.empty()) set_deadline();
}

void session::sit_down(seated& m) {
  if (leaving_) return tell(m.game, leave_request{m.seat, {}});
  player_.sit({m.id, std::move(m.game), m.seat, m.engine});
  // Whoever is away gets no more time by what happens meanwhile.
  if (!attachments_.empty() || !deadline_) set_deadline();
}

void session::name_given(named& m) {
  if (m.why) {
    // It may try another one.
    identity_.reset();
    refuse(m.answers, {}, *m.why);
  } else {
    identity_->name = std::move(m.name);
    deliver({m.answers, {}, signed_in{identity_->name, identity_->secret}});
  }
  is_known();
}

void session::start_anew(not_resumed& m) {
  if (leaving_) return;  // the lobby has forgotten it, or is about to
  if (pending_resume_ && pending_resume_->or_nobody) {
    identity_.reset();
    refuse(m.answers, {}, refusal::cannot_resume);
    return is_known();
  }
  tell(setup_.lobby, enter{self(), id_, std::move(m.name), identity_->secret, m.answers, m.exact});
  is_known();
}

void session::is_known() {
  if (const auto was = std::exchange(pending_resume_, nullptr))
    for (auto& e : was->said) take(e);
}

void session::place_found(seek_answer& m) {
  if (m.why) {
    player_.on_seek_refused();
    set_deadline();
    return refuse(m.answers, m.game, *m.why, {}, std::move(m.detail));
  }
  player_.waits_for(m.game);
  deliver({m.answers, m.game, std::move(m.place)});
}

void session::join(attach_client& m) {
  if (leaving_ || banned_) return;  // the lobby will hear of it and tell the client
  // On wires of one connection a player is at one place at a time: the latest.
  close_all(close_reason::replaced);
  attachments_.clear();
  awaits_return_ = false;
  set_wire(m.wire);
  identity_->secret = std::move(m.secret);
  auto& client = attachments_.emplace_back(std::move(m.client), *m.home, home());
  client.set_session(make_door(self(), client.id(), *setup_.attachment_count));
  const auto games = static_cast<std::uint32_t>(player_.places().size());
  client.deliver({m.answers, {}, signed_in{identity_->name, identity_->secret, true, games}});
  for (const auto& p : player_.places())
    tell(p.game, show_request{p.seat, setup_.directory->wires[wire_].form});
  if (player_.stands() && !draining_) tell(setup_.lobby, presence{id_, false});
  set_deadline();
}

void session::set_wire(std::uint16_t wire) {
  cells().sessions_open.add(-1);
  wire_ = wire;
  cells().sessions_open.add();
}

void session::on_detached(attachment_id from) {
  const auto lost =
      std::erase_if(attachments_, [from](const attachment_ref& a) { return a.id() == from; });
  if (lost == 0 || !attachments_.empty()) return;
  if (pending_resume_ && pending_resume_->to)
    for (auto& e : pending_resume_->said) tell(pending_resume_->to, std::move(e));
  if (banned_ || !player_.playing() || grace().count() == 0) return leave_hub();
  if (player_.stands()) tell(setup_.lobby, presence{id_, true});
  set_deadline();
}

void session::leave_hub() {
  if (std::exchange(leaving_, true)) return;
  home().timers().cancel(std::exchange(deadline_, {}));
  leave_games();
  if (!known_to_lobby_) return this->quit();
  tell(setup_.lobby, gone{self(), id_});
}

void session::leave_games() {
  for (const auto& p : player_.places()) tell(p.game, leave_request{p.seat, {}});
  player_ = {};
}

// Its games are lost, and it has nothing to come back to.
void session::be_expelled() {
  banned_ = true;
  if (attachments_.empty()) return leave_hub();
  close_all(close_reason::banned);
}

void session::on_drain() {
  draining_ = true;
  player_.on_withdrawn();
  if (!player_.playing()) close_all(close_reason::draining);
}

void session::time_is_up(std::uint64_t number) {
  if (number != deadline_number_) return;
  deadline_ = {};
  if (attachments_.empty()) return leave_hub();
  close_all(received_intent_ ? close_reason::idle : close_reason::handshake_timeout);
}

void session::set_deadline() {
  home().timers().cancel(std::exchange(deadline_, {}));
  ++deadline_number_;
  std::chrono::seconds time{0};
  if (attachments_.empty())
    time = grace();
  else if (player_.idle() && !setup_.directory->wires[wire_].own_clocks)
    time = received_intent_ ? setup_.idle_time : setup_.handshake_time;
  if (time.count() == 0) return;
  deadline_ = home().timers().arm(
      home().now() + time, [this, number = deadline_number_] { tell(self(), timer_up{number}); });
}

void session::refuse(const receipt& r, game_id game, refusal why, move what, std::string detail) {
  const event e{r, game, refused{why, std::move(detail), std::move(what)}};
  count(e);
  deliver(e);
}

void session::deliver(const event& e) {
  const auto* shared = std::get_if<position_ref>(&e.what);
  for (auto& a : attachments_) {
    if (e.answers.ticket == 0 || e.answers.from == a.id())
      a.deliver(e);
    else if (shared != nullptr)
      a.deliver({{}, e.game, *shared});
  }
}

void session::count(const event& e) {
  if (e.answers.ticket == 0) return;
  const auto* no = std::get_if<refused>(&e.what);
  if (no != nullptr) cells().refusals[static_cast<std::size_t>(no->why)].add();
  const auto* at = e.game ? player_.find(e.game) : nullptr;
  if (at == nullptr) return;
  auto& moves = cells().moves[setup_.directory->engines[at->engine].kind];
  if (no != nullptr)
    moves.refused.add();
  else if (std::holds_alternative<position_ref>(e.what))
    moves.accepted.add();
}

void session::close_all(close_reason why) {
  for (auto& a : attachments_) a.close(why);
}

std::string session::public_name() const {
  return identity_ && !identity_->name.empty() ? identity_->name : default_name(id_);
}

void session::on_exit() {
  home().timers().cancel(std::exchange(deadline_, {}));
  leave_games();
  // Left over only when a fault ended this actor.
  if (!attachments_.empty()) cells().sessions_failed.add();
  close_all(close_reason::failed);
  attachments_.clear();
  if (known_to_lobby_ && !leaving_) tell(setup_.lobby, gone{{}, id_});
  cells().sessions_open.add(-1);
}

}  // namespace gamehub::actors
