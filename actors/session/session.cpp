#include "actors/session/session.hpp"

#include "actors/session/player_registry.hpp"
#include "actors/table/public_projection.hpp"
#include "hub/base/require.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gamehub::actors::session {

session::session(caf::actor_config& config, session_setup& setup, player_id id,
                 std::shared_ptr<attachment> client)
    : typed_loop_actor(config), wire_(setup.wire), setup_(setup), id_(id) {
  if (const auto account = client->account()) address_ = std::make_unique<address_use>(account);
  client_.emplace(std::move(client), owning_loop(), owning_loop());
  cells().sessions_opened.add();
  cells().sessions_open.add();
  set_deadline();
  if (unused_) set_unused(unused_client::newcomer);
}

session::session(caf::actor_config& config, session_setup& setup, player_id id, std::string name,
                 std::vector<std::string> former_names, const address_account_ref& address)
    : typed_loop_actor(config),
      wire_(setup.wire),
      known_to_lobby_(true),
      received_intent_(true),
      awaits_return_(true),
      setup_(setup),
      id_(id),
      identity_(std::make_unique<identity>(identity{std::move(name), {}, std::move(former_names)})),
      absent_since_(owning_loop().clock()) {
  player_.set_seek_lost();
  if (address) address_ = std::make_unique<address_use>(address);
  // The lobby's thread is here, which may be that of another loop.
  owning_loop().post([&counts = cells()] {
    counts.sessions_opened.add();
    counts.sessions_open.add();
  });
}

void session::prefetch() const { __builtin_prefetch(player_.seats().data()); }

bool session::receive(caf::message& what) {
  if (entry_) return receive_at_entry(what);
  return dispatch(what, std::tuple{
                            [this](envelope& m) { on_intent(m); },
                            [this](event& m) { on_event(m); },
                            [this](runtime::seated& m) { on_seated(m); },
                            [this](runtime::name_assigned& m) { on_name_assigned(m); },
                            [this](runtime::name_changed& m) { on_name_changed(m); },
                            [this](runtime::resume_accepted& m) {
                              if (pending_resume_) pending_resume_->to = std::move(m.to);
                            },
                            [this](runtime::resume_failed& m) { on_resume_failed(m); },
                            [this](runtime::seek_result& m) { on_seek_result(m); },
                            [this](const runtime::player_removed&) { on_player_removed(); },
                            [this](runtime::attach_client& m) { on_attach(m); },
                            [this](const runtime::detached& m) { on_detached(m); },
                            [this](const runtime::client_presence& m) { on_presence(m); },
                            [this](const runtime::ban_session&) { on_banned(); },
                            [this](const runtime::sleep_granted&) { on_sleep_granted(); },
                            [this](runtime::seats_found& m) { on_seats_found(m); },
                            [this](const runtime::release_seat& m) { on_release(m); },
                            [this](const runtime::drain& m) { on_drain(m); },
                            [this](const runtime::game_suspended& m) { on_game_suspended(m); },
                            [this](runtime::go_to_hub& m) { on_go(m); },
                            [](const runtime::from_home&) {},  // late
                            [this](const runtime::timer_up& m) { on_timeout(m.number); },
                        });
}

void session::on_intent(envelope& m) {
  // The client has disconnected or was replaced since, so there is no receiver for a reply.
  if (leaving_ || !is_current(m.receipt.from)) return;
  received_intent_ = true;
  if (pending_resume_) return pending_resume_->held_intents.push_back(std::move(m));
  if (follows_ && is_for_followed(m.what)) return hold_for_followed(m);
  if (const auto game = game_to_wake(m.what))
    return send(setup_.lobby, runtime::seats_wanted{self(), id_, *game, std::move(m)});
  carry_out(m);
}

void session::on_intent(const receipt& r, sign_in& what) {
  if (identity_) return refuse(r, {}, refusal::already_signed_in);
  features_ = what.features;
  if (what.relayed) hubs_ = static_cast<std::uint8_t>(what.relayed->hubs);
  const auto brings = what.proposes_secret && !what.resume_secret.empty();
  if (address_ && !brings && !what.resume_secret.empty() &&
      address_->account.wait(address_limit::guesses, owning_loop().now())) {
    refuse(r, {}, refusal::rate_limited);
    return close_all(close_reason::address_limit);
  }
  identity_ = std::make_unique<identity>(
      identity{{},
               what.relayed ? ""
               : brings     ? what.resume_secret
                            : setup_.secrets->secret(),
               what.relayed ? what.relayed->former_names : std::vector<std::string>{}});
  if (what.relayed) identity_->digest = what.relayed->digest;
  known_to_lobby_ = true;
  if (what.resume_secret.empty() && !(what.relayed && !what.relayed->moves)) {
    if (setup_.names_wait) pending_resume_ = std::make_unique<pending_resume>();
    return register_player(std::move(what.name), r, what.choice, std::move(what.relayed));
  }
  // The attachment moves to the session of the resumed player, which gives it a new session handle.
  // Destroying the old handle detaches it from this session, which then ends.
  if (!is_current(r.from)) return;
  pending_resume_ = std::make_unique<pending_resume>();
  pending_resume_->only_resume = what.only_resume;
  pending_resume_->relayed = what.relayed != nullptr;
  runtime::attach_client moves{
      client_->share(), &owning_loop(), wire_, what.resume_secret, r, what.features, {}, hubs_};
  runtime::resume_request m{self(),
                            id_,
                            std::move(what.resume_secret),
                            std::move(what.name),
                            std::move(moves),
                            brings,
                            what.choice,
                            is_bot(),
                            std::move(what.relayed)};
  m.game = what.game;
  send(setup_.lobby, std::move(m));
}

void session::register_player(std::string name, const receipt& r, name_choice choice,
                              std::shared_ptr<const relayed_player> relayed) {
  send(setup_.lobby, runtime::register_player{self(), id_, std::move(name), identity_->secret, r,
                                              choice, is_bot(), std::move(relayed)});
}

bool session::is_bot() const {
  return table::seat_kind_of(setup_.directory->wires[wire_].name) == seat_kind::bot;
}

void session::on_intent(const receipt& r, seek& what) { send_seek(r, what, {}); }

void session::send_seek(const receipt& r, seek& what, const rematch& of) {
  if (draining_) return refuse(r, {}, refusal::draining);
  if (const auto why = player_.why_no_seek(what)) {
    auto detail = *why == refusal::unknown_engine
                      ? setup_.directory->playable_engines(setup_.directory->wires[wire_])
                      : std::string{};
    return refuse(r, {}, *why, {}, std::move(detail));
  }
  if (const auto why = hold_seats(what)) {
    refuse(r, {}, *why);
    // Not every client of a standing seek has a word for the refusal.
    if (what.again) close_all(close_reason::address_limit);
    return;
  }
  send_held_seek(r, what, of);
}

void session::send_held_seek(const receipt& r, seek& what, const rematch& of) {
  player_.on_seek_sent(what);
  sought_rematch_ = of.game;
  known_to_lobby_ = true;
  set_deadline();
  if (address_ && what.again) {
    address_->delayed_seek = std::make_unique<std::pair<receipt, seek>>(r, std::move(what));
    return continue_seeks();
  }
  send(setup_.lobby, seek_for(r, what, of));
}

std::optional<refusal> session::hold_seats(seek& what) {
  if (!address_) return std::nullopt;
  if (const auto why = std::exchange(address_->refused, {})) return why;
  auto& held = address_->seats;
  if (!what.again && address_->account.wait(address_limit::games, owning_loop().now()))
    return refusal::rate_limited;
  address_->by_invitation = !what.invitation.empty();
  if (address_->by_invitation &&
      address_->account.wait(address_limit::guesses, owning_loop().now()))
    return refusal::rate_limited;
  const auto kept = what.keeps ? static_cast<std::uint32_t>(player_.seats().size()) : 0;
  const auto wanted = std::max(what.games_max + kept, held.count());
  held.take(wanted - held.count());
  if (held.count() <= kept && wanted != 0) {
    hold_seats();
    return refusal::address_limit;
  }
  what.games_max = std::min(what.games_max, held.count());
  return std::nullopt;
}

void session::hold_seats() {
  if (address_) address_->seats.set(player_.seats_wanted());
}

void session::continue_seeks() {
  auto& a = *address_;
  if (a.timer || (!a.delayed_seek && a.freed_seats == 0)) return;
  if (const auto time = a.account.wait(address_limit::games, owning_loop().now())) {
    a.timer = arm_timer(owning_loop().now() + *time, rate_timer);
    return;
  }
  if (a.delayed_seek) {
    auto& [r, what] = *a.delayed_seek;
    send(setup_.lobby, seek_for(r, what, {}));
    a.delayed_seek.reset();
  }
  for (; a.freed_seats > 0; --a.freed_seats) send(setup_.lobby, runtime::seat_capacity_freed{id_});
}

void session::on_intent(const receipt& r, play& what) {
  if (auto* at = player_.find(what.game))
    return send_move(at->game, {at->seat, r, std::move(what.move), what.repeated_after});
  refuse(r, what.game, player_.why_no_seat(what.game), std::move(what.move));
}

void session::on_intent(const receipt& r, const leave& what) {
  if (what.only_waiting) return withdraw_seek(r, what.game);
  if (auto* at = player_.find(what.game))
    return send(at->game, runtime::leave_request{at->seat, r, what.why});
  if (player_.awaits(what.game)) return withdraw_seek(r, what.game);
  refuse(r, what.game, player_.why_no_seat(what.game));
}

void session::withdraw_seek(const receipt& r, game_id game) {
  if (!player_.waiting() && !player_.has_standing_seek()) {
    const bool tells = r.ticket == gamehub::relay::no_more_games && player_.playing();
    return refuse(r, tells ? player_.seats().back().id : game, refusal::not_in_game);
  }
  player_.on_withdraw_sent();
  if (address_) {
    address_->delayed_seek.reset();
    address_->freed_seats = 0;
  }
  set_deadline();
  send(setup_.lobby, runtime::withdraw_request{self(), id_, r});
}

void session::on_intent(const receipt& r, chat& what) {
  if (is_muted()) return refuse(r, what.game, refusal::muted);
  if (auto* at = player_.find(what.game))
    return send(at->game, runtime::chat_request{at->seat, r, std::move(what.text)});
  refuse(r, what.game, player_.why_no_seat(what.game));
}

void session::on_intent(const receipt& r, const rematch& what) {
  if (!what.game || player_.find(what.game) != nullptr)
    return refuse(r, what.game, refusal::not_in_game);
  // The lobby reads the engine, the options and the seat from the log of that game.
  seek like;
  like.engines.emplace_back();
  like.features = features_;
  like.again = player_.has_standing_seek();
  like.seat_at_once = like.reserve_game = like.keeps = !like.again;
  if (!like.again) return send_seek(r, like, what);
  if (draining_) return refuse(r, what.game, refusal::draining);
  if (!player_.waiting()) return refuse(r, what.game, refusal::already_in_game);
  if (address_ &&
      (address_->delayed_seek || address_->account.wait(address_limit::games, owning_loop().now())))
    return refuse(r, what.game, refusal::rate_limited);
  // The client has stayed.
  if (stay_timer_) {
    owning_loop().timers().cancel(stay_timer_);
    on_stayed();
  }
  send(setup_.lobby, seek_for(r, like, what));
}

runtime::seek_request session::seek_for(const receipt& r, seek& what, const rematch& of) {
  // A seat that is to be replaced does not count, nor do those beside which it seeks.
  const auto playing =
      what.replaces || what.keeps ? 0 : static_cast<std::uint32_t>(player_.seats().size());
  runtime::seek_request m{self(),
                          id_,
                          public_name(),
                          std::move(what),
                          playing,
                          wire_,
                          &owning_loop(),
                          r,
                          of.game,
                          of.only_if_offered,
                          address_ ? address_->seats.account() : nullptr};
  using moving = runtime::seek_request::moving;
  if (setup_.hubs != nullptr && setup_.directory->wires[wire_].crossing != hub_crossing::none &&
      !m.what.keeps && hubs_ < limits::player_moves_max && player_.seats().empty())
    m.moves = hubs_ < limits::player_moves_at_once_max ? moving::at_once : moving::later;
  return m;
}

void session::on_intent(const receipt& r, challenge& what) {
  if (draining_) return refuse(r, {}, refusal::draining);
  if (!player_.has_standing_seek()) return refuse(r, {}, refusal::not_in_game);
  send(setup_.lobby,
       runtime::challenge_request{self(), id_, std::move(what.opponent), what.game, r});
}

void session::on_intent(const receipt& r, const decline& what) {
  if (!what.game) return refuse(r, {}, refusal::not_in_game);
  // A seek for one game is for the rematch alone.
  if (what.step == offer_step::withdrawn && what.game == sought_rematch_ && player_.waiting())
    return withdraw_seek(r, what.game);
  send(setup_.lobby, runtime::decline_request{self(), id_, what, r});
}

void session::on_intent(const receipt& r, const offer& what) {
  if (!what.mistake.empty())
    return refuse(r, what.game, refusal::malformed, {}, std::string{what.mistake});
  if (what.what == offer_kind::rematch && what.game && player_.find(what.game) == nullptr) {
    if (what.step == offer_step::offered || what.step == offer_step::accepted)
      return on_intent(r, rematch{what.game, what.step == offer_step::accepted});
    return on_intent(r, decline{what.game, offer_cause::request, what.step});
  }
  if (auto* at = player_.find(what.game))
    return send(at->game, runtime::offer_request{at->seat, r, what});
  refuse(r, what.game, player_.why_no_seat(what.game));
}

void session::on_intent(const receipt& r, const claim& what) {
  if (auto* at = player_.find(what.game))
    return send(at->game, runtime::claim_request{at->seat, r});
  refuse(r, what.game, player_.why_no_seat(what.game));
}

bool session::is_muted() const {
  if (setup_.rules == nullptr) return false;
  if (setup_.rules->mutes(public_name())) return true;
  return identity_ && std::any_of(identity_->former_names.begin(), identity_->former_names.end(),
                                  [this](const auto& name) { return setup_.rules->mutes(name); });
}

// The answer is sent when the lobby has removed the player.
void session::on_intent(const receipt& r, const sign_out&) {
  hold_request().sign_out = r;
  leave_hub();
}

void session::on_player_removed() {
  if (follows_ && !leaving_) return become_entry();
  if (signs_out()) deliver({*open_requests_->sign_out, {}, gamehub::done{}});
  client_.reset();
  this->quit();
}

void session::on_intent(const receipt& r, change_name& what) {
  if (!identity_ || identity_->name.empty()) return refuse(r, {}, refusal::not_in_game);
  auto& mine = *identity_;
  std::erase_if(mine.renamed_at, [now = owning_loop().now()](base::instant at) {
    return at + limits::renames_in <= now;
  });
  if (mine.renaming || mine.renamed_at.size() >= limits::renames_max ||
      mine.renames >= limits::renames_per_player_max)
    return refuse(r, {}, refusal::rate_limited);
  mine.renaming = true;
  send(setup_.lobby, runtime::rename_player{self(), id_, std::move(what.name), r});
}

void session::on_name_changed(runtime::name_changed& m) {
  auto& mine = *identity_;
  mine.renaming = false;
  if (m.why) return refuse(m.answers, {}, *m.why, {}, std::move(m.detail));
  ++mine.renames;
  mine.renamed_at.push_back(owning_loop().now());
  std::erase(mine.former_names, m.name);
  if (mine.name != m.name) mine.former_names.push_back(std::exchange(mine.name, m.name));
  for (const auto& p : player_.seats()) send(p.game, runtime::rename_seat{p.seat, m.name});
  deliver({m.answers, {}, gamehub::done{}});
}

void session::on_event(event& e) {
  if (!e.game && std::holds_alternative<gamehub::done>(e.what)) {
    const auto* late = player_.on_withdrawn();
    hold_seats();
    const bool keeps = e.answers.ticket == gamehub::relay::no_more_games;
    if (keeps && player_.playing()) e.game = player_.seats().back().id;
    if (late != nullptr && !keeps)
      return send(late->game, runtime::leave_request{late->seat, e.answers});
    // The standing seek of a player who is away for long has ended.
    if (!client_) ask_to_sleep();
  }
  count(e);
  if (may_receive(e)) deliver(e);
  if (const auto* refusal_event = std::get_if<refused>(&e.what);
      refusal_event && refusal_event->why == refusal::opponent_left)
    player_.clear_crossed_move();
  if (const auto* p = std::get_if<position_ref>(&e.what); p != nullptr && (*p)->outcome) {
    keep_end(e);
    player_.forget_released(e.game);
    game_ended(e.game, *(*p)->outcome);
  }
  if (std::holds_alternative<position_ref>(e.what)) answer_shown(e.game);
}

void session::game_ended(game_id id, const outcome& how) {
  const auto* at = player_.find(id);
  if (at == nullptr) return;
  const runtime::leave_request last{at->seat, {}};
  if (!runtime::actor_of(at->game)->try_finish(last)) send(at->game, last);
  const bool has_capacity = player_.remove_seat(id, how) && !draining_;
  hold_seats();
  if (has_capacity && client_ && player_.take_pause()) pause_seek();
  if (address_ && player_.is_absent()) {
    close_all(close_reason::idle);
  } else if (has_capacity && address_) {
    ++address_->freed_seats;
    continue_seeks();
  } else if (has_capacity) {
    send(setup_.lobby, runtime::seat_capacity_freed{id_});
  }
  on_grace_expired();
}

// The lobby seats the player no more until the end of the pause.
void session::pause_seek() {
  send(setup_.lobby, runtime::player_presence{id_, true});
  owning_loop().timers().cancel(stay_timer_);
  stay_timer_ = arm_timer(owning_loop().now() + limits::stay_pause, stay_timer);
}

void session::on_stayed() {
  stay_timer_ = {};
  if (client_ && player_.has_standing_seek() && !draining_)
    send(setup_.lobby, runtime::player_presence{id_, false});
}

void session::on_game_suspended(const runtime::game_suspended& m) {
  has_suspended_ = has_suspended_ || !m.is_over;
  if (m.follows) return on_game_follows(m);
  player_.drop_if([&](const seat_entry& p) { return p.id == m.game; });
  hold_seats();
  answer_shown(m.game);
  on_grace_expired();
}

void session::on_grace_expired() {
  if (!client_ && !player_.playing()) return ends_ && !draining_ ? set_deadline() : leave_hub();
  if (follows_ && can_follow() && !player_.playing()) return follow_games();
  if (draining_ && !player_.playing()) return close_all(close_reason::draining);
  if (client_) set_deadline();
}

void session::on_seated(runtime::seated& m) {
  if (leaving_) return on_seated_late(m);
  // Who came back before its game was here is shown it now.
  const bool shows = m.restored && client_;
  const bool was_here = player_.forget_released(m.id);
  player_.add_seat({m.id, std::move(m.game), m.seat, m.engine,
                    shows ? client_->id() : attachment_id{},
                    m.away_time.value_or(std::chrono::seconds{0})});
  const auto& seat = player_.seats().back();
  // A game of days may have forgotten the session that the player had.
  if (m.restored && m.away_time) send(seat.game, runtime::reserve_seat{seat.seat, self()});
  if (absence_ && absence_->published)
    send(seat.game, runtime::seat_presence{seat.seat, shown_until(seat, absence_->kept_until)});
  if (shows) request_position(seat, !was_here);
  hold_seats();
  if (address_ && !m.restored)
    address_->account.charge(address_limit::games, 1, owning_loop().now());
  set_deadline();
}

void session::on_name_assigned(runtime::name_assigned& m) {
  if (m.why) {
    // The client may request another name.
    identity_.reset();
    refuse(m.answers, {}, *m.why, {}, std::move(m.detail));
    // Not every client has a word for a refused sign-in.
    if (m.why == refusal::hub_full || m.why == refusal::player_elsewhere)
      close_all(close_reason::hub_full);
  } else {
    identity_->name = std::move(m.name);
    deliver({m.answers, {}, signed_in{identity_->name, identity_->secret}});
  }
  replay_held_intents();
}

void session::on_resume_failed(runtime::resume_failed& m) {
  if (leaving_) return;  // the lobby has removed the player, or will remove it
  // Charged when it is wrong: the players of a school that return during a takeover all wait at
  // once.
  if (address_) address_->account.charge(address_limit::guesses, 1, owning_loop().now());
  if (pending_resume_ && pending_resume_->only_resume) {
    identity_.reset();
    refuse(m.answers, {}, refusal::cannot_resume);
    return replay_held_intents();
  }
  register_player(std::move(m.name), m.answers, m.choice);
  if (!setup_.names_wait) replay_held_intents();
}

void session::replay_held_intents() {
  if (const auto was = std::exchange(pending_resume_, nullptr))
    for (auto& e : was->held_intents) on_intent(e);
}

void session::on_seek_result(runtime::seek_result& m) {
  if (m.why) {
    const bool asked = m.answers.ticket != 0;
    if (asked && address_ && address_->by_invitation && m.why == refusal::not_in_game)
      address_->account.charge(address_limit::guesses, 1, owning_loop().now());
    asked ? player_.on_seek_refused() : player_.on_waiting_ended();
    hold_seats();
    set_deadline();
    return refuse(m.answers, m.game, *m.why, {}, std::move(m.detail));
  }
  player_.on_seek_accepted();
  player_.set_awaited_game(m.game);
  deliver({m.answers, m.game, std::move(m.place)});
}

void session::on_attach(runtime::attach_client& m) {
  // The lobby replies to the client with resume_failed.
  if (leaving_ || banned_ || (follows_ && follows_->removing)) return;
  if (!comes_nearer(m)) return;
  hubs_ = m.hubs;
  // A player has one attachment: the new one replaces the previous one.
  close_all(close_reason::replaced);
  client_.reset();
  follows_.reset();
  awaits_return_ = false;
  end_absence();
  set_wire(m.wire);
  address_hold hold{m.client->account(), address_limit::sessions};
  hold.set(1);  // the session that asked had it, and ends
  if (hold.account() && !address_) {
    // The player was restored after a restart.
    address_ = std::make_unique<address_use>(hold.account());
    hold_seats();
  }
  identity_->secret = std::move(m.secret);
  identity_->digest = std::move(m.digest);
  features_ = m.features;
  auto& client = client_.emplace(std::move(m.client), *m.home, owning_loop());
  client.set_session(make_session_handle(self(), client.id(), std::move(hold)));
  const auto games = static_cast<std::uint32_t>(player_.seats().size());
  client.deliver({m.answers, {}, signed_in{identity_->name, identity_->secret, true, games}});
  if (const auto missed = std::exchange(ends_, nullptr); missed && returns(m))
    for (const auto& each : *missed) client.deliver(each);
  player_.show_games_to(client.id());
  for (const auto& p : player_.seats()) request_position(p);
  if (player_.has_standing_seek() && !draining_)
    send(setup_.lobby, runtime::player_presence{id_, false, true});
  set_deadline();
  // Its games were handed over just now.
  if (draining_ && games == 0) close_all(close_reason::draining);
}

void session::request_position(const seat_entry& of, bool visits) {
  const auto& rules = setup_.directory->engines[of.engine].rules;
  send(of.game, runtime::resend_request{of.seat, setup_.directory->wires[wire_].form_of(rules),
                                        features_, of.unseen_by, visits});
}

// Answers to the client's own requests follow the position that was requested for it.
bool session::may_receive(const event& e) {
  if (e.answers.ticket != 0 && client_ && e.answers.from == client_->id()) return true;
  const bool shows = std::holds_alternative<started>(e.what);
  // The game was asked for by a former client, and has ended since.
  if (e.answers.ticket == 0 && e.answers.from && client_ && e.answers.from != client_->id() &&
      (shows || std::holds_alternative<position_ref>(e.what)))
    return false;
  return player_.may_receive(e.game, shows ? e.answers.from : attachment_id{});
}

void session::set_wire(std::uint16_t wire) {
  cells().sessions_open.add(-1);
  wire_ = wire;
  cells().sessions_open.add();
}

void session::on_detached(const runtime::detached& m) {
  if (!is_current(m.from)) return;
  client_.reset();
  follows_.reset();
  if (pending_resume_ && pending_resume_->to)
    for (auto& e : pending_resume_->held_intents) send(pending_resume_->to, std::move(e));
  absent_since_ = owning_loop().now();
  if (!absence_) absence_ = std::make_unique<absence_state>();
  absence_->way_lost = m.way_lost;
  const auto& seats = player_.seats();
  const bool is_told_end = m.way_lost && ends_;
  if (banned_ || (!is_told_end && std::all_of(seats.begin(), seats.end(), [&](const seat_entry& p) {
        return kept_until(p) <= absent_since_;
      })))
    return leave_hub();
  leave_games(absent_since_);
  if (player_.has_standing_seek()) send(setup_.lobby, runtime::player_presence{id_, true, true});
  set_deadline();
  begin_absence(owning_loop().now() + grace());
}

void session::on_presence(const runtime::client_presence& m) {
  // A client that is replaced does not count any more.
  if (leaving_ || !client_ || client_->id() != m.from) return;
  m.kept_until ? begin_absence(*m.kept_until) : end_absence();
}

void session::begin_absence(base::instant kept_until) {
  if (!absence_) absence_ = std::make_unique<absence_state>();
  if (absence_->published && absence_->kept_until == kept_until) return;
  absence_->kept_until = kept_until;
  if (absence_->timer) return;
  absence_->timer = arm_timer(owning_loop().now() + limits::absence_reported_after, absence_timer);
}

void session::end_absence() {
  const auto was = std::exchange(absence_, nullptr);
  if (!was) return;
  owning_loop().timers().cancel(was->timer);
  if (was->published) publish_absence(std::nullopt);
}

void session::publish_absence(std::optional<base::instant> kept_until) {
  for (const auto& p : player_.seats())
    send(p.game, runtime::seat_presence{
                     p.seat, kept_until ? std::optional{shown_until(p, *kept_until)} : kept_until});
  if (player_.waiting() && !player_.has_standing_seek())
    send(setup_.lobby, runtime::waiting_presence{id_, kept_until.has_value()});
}

void session::leave_hub() {
  if (std::exchange(leaving_, true)) return;
  set_unused({});
  owning_loop().timers().cancel(std::exchange(deadline_, {}));
  owning_loop().timers().cancel(std::exchange(stay_timer_, {}));
  leave_all();
  if (!known_to_lobby_) return on_player_removed();
  send(setup_.lobby, runtime::player_left{self(), id_, has_suspended_});
}

void session::leave_games(base::instant until) {
  const auto why = banned_ ? leave_cause::banned : leave_cause::disconnected;
  std::size_t left = 0;
  for (const auto& p : player_.seats()) {
    if (kept_until(p) > until) continue;
    auto leave_one = [game = p.game, m = runtime::leave_request{p.seat, {}, why}] {
      caf::anon_send(game, m);
    };
    // The end of a game has work for the journal and all its players.
    if (++left <= limits::games_left_at_once_max)
      leave_one();
    else
      owning_loop().defer(std::move(leave_one));
  }
  player_.drop_if([&](const seat_entry& p) { return kept_until(p) <= until; });
  hold_seats();
}

// The games of days go on without the client.
void session::on_seats_expired() {
  ends_.reset();
  leave_games(owning_loop().now());
  if (!player_.playing()) return leave_hub();
  if (player_.waiting() || player_.has_standing_seek()) return withdraw_seek({}, {});
  ask_to_sleep();
  set_deadline();
}

void session::leave_all() {
  leave_games(base::instant::max());
  player_ = {};
  if (const auto was = std::exchange(absence_, nullptr)) owning_loop().timers().cancel(was->timer);
  if (!address_) return;
  owning_loop().timers().cancel(std::exchange(address_->timer, {}));
  hold_seats();
}

// A banned player loses its games and cannot reconnect.
void session::on_banned() {
  banned_ = true;
  if (!client_) return leave_hub();
  close_all(close_reason::banned);
}

void session::on_drain(const runtime::drain& m) {
  draining_ = true;
  player_.on_withdrawn();
  hold_seats();
  // Its client is on the way to its player.
  if (pending_resume_ && pending_resume_->relayed) return;
  if (!client_ && !player_.playing()) return leave_hub();
  if (follows_ ? m.at_last : !player_.playing()) close_all(close_reason::draining);
}

void session::on_timeout(std::uint64_t number) {
  // The client has gone while this message waited.
  if (leaving_) return;
  if (number == stay_timer) return on_stayed();
  if (number == rate_timer && address_) {
    address_->timer = {};
    return continue_seeks();
  }
  if (number == absence_timer && absence_) {
    absence_->timer = {};
    absence_->published = true;
    return publish_absence(absence_->kept_until);
  }
  if (number != deadline_number_) return;
  deadline_ = {};
  if (!client_) return on_seats_expired();
  close_all(received_intent_ ? close_reason::idle : close_reason::handshake_timeout);
}

void session::set_deadline() {
  owning_loop().timers().cancel(std::exchange(deadline_, {}));
  ++deadline_number_;
  std::chrono::seconds time{0};
  const auto& wire = setup_.directory->wires[wire_];
  const bool unused = client_ && player_.idle() && !wire.own_clocks;
  set_unused(unused && wire.hub_makes_room ? std::optional{unused_client::idle} : std::nullopt);
  auto at = base::instant::max();
  if (!client_ && ends_) at = absent_since_ + grace();
  if (!client_)
    for (const auto& p : player_.seats()) at = std::min(at, kept_until(p));
  else if (unused)
    time = received_intent_ ? setup_.idle_time : setup_.handshake_time;
  // An open seat without a standing seek is kept until an opponent comes.
  const bool away =
      !client_ && player_.playing() && (player_.has_standing_seek() || !player_.waiting());
  if (away && at == base::instant::max()) time = setup_.sleep_after;
  if (time.count() > 0) at = owning_loop().now() + time;
  if (at != base::instant::max()) deadline_ = arm_timer(at, deadline_number_);
}

void session::set_unused(std::optional<unused_client> kind) {
  if (const auto was = std::exchange(unused_, std::nullopt)) setup_.unused->remove(*was);
  if (kind && setup_.unused != nullptr)
    unused_ = setup_.unused->add(*this, *kind, owning_loop().now());
}

void session::make_room() {
  GAMEHUB_REQUIRE(unused_.has_value());
  set_unused({});
  cells().sessions_evicted.add();
  close_all(close_reason::idle);
}

void session::refuse(const receipt& r, game_id game, refusal why, move what, std::string detail) {
  const event e{r, game, refused{why, std::move(detail), std::move(what)}};
  count(e);
  deliver(e);
}

void session::deliver(const event& e) {
  if (!client_) return;
  if (e.answers.ticket == 0 || e.answers.from == client_->id())
    client_->deliver(e);
  else if (const auto* shared = std::get_if<position_ref>(&e.what))
    client_->deliver({{}, e.game, *shared});
}

void session::count(const event& e) {
  if (e.answers.ticket == 0) return;
  const auto* refusal_event = std::get_if<refused>(&e.what);
  if (refusal_event != nullptr)
    cells().refusals[static_cast<std::size_t>(refusal_event->why)].add();
  const auto* at = e.game ? player_.find(e.game) : nullptr;
  if (at == nullptr) return;
  auto& moves = cells().moves[setup_.directory->engines[at->engine].kind];
  if (refusal_event != nullptr)
    moves.refused.add();
  else if (std::holds_alternative<position_ref>(e.what))
    moves.accepted.add();
}

void session::close_all(close_reason why) {
  if (client_) client_->close(why);
}

std::string session::public_name() const {
  return identity_ && !identity_->name.empty() ? identity_->name : default_name(id_);
}

void session::on_exit() {
  set_unused({});
  owning_loop().timers().cancel(std::exchange(deadline_, {}));
  owning_loop().timers().cancel(std::exchange(stay_timer_, {}));
  leave_all();
  if (entry_) owning_loop().timers().cancel(entry_->timer);
  // Attachments remain only if an error ended this actor.
  if (entry_ && client_) leave_home();
  // What it would send back to the lobby has the handle of this session.
  entry_.reset();
  if (client_) cells().sessions_failed.add();
  close_all(close_reason::failed);
  client_.reset();
  if (known_to_lobby_ && !leaving_)
    send(setup_.lobby, runtime::player_left{{}, id_, has_suspended_});
  cells().sessions_open.add(-1);
}

}  // namespace gamehub::actors::session
