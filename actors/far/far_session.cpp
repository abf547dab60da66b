#include "actors/far/far_session.hpp"

#include "actors/far/ignore.hpp"
#include "actors/far/tally.hpp"
#include "actors/spectate/log_replay.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace gamehub::actors::far {

namespace messages = gamehub::far;

far_session::far_session(caf::actor_config& config, switchboard& board, player_id player,
                         member_id front, view_form form, client_features features)
    : typed_loop_actor(config),
      board_(board),
      player_(player),
      front_(front),
      form_(form),
      features_(features) {}

far_session::far_session(caf::actor_config& config, switchboard& board, place at, open_game game,
                         member_id front)
    : typed_loop_actor(config),
      board_(board),
      player_(game.seats[static_cast<std::size_t>(at.seat)].player),
      front_(front),
      at_(at),
      game_(std::move(game.game)),
      before_(std::move(game.seats[static_cast<std::size_t>(at.seat)].session)) {}

bool far_session::receive(caf::message& what) {
  return dispatch(
      what,
      std::tuple{[this](event& m) { on_event(m); }, [this](arrived& m) { on_arrived(m); },
                 [this](const runtime::seated& m) { on_seated(m); },
                 [this](const runtime::game_suspended&) { end_with(messages::suspended{at_}); },
                 [this](const game_moved& m) {
                   end_with(messages::moved{at_, m.to});
                 },
                 [this](const front_lost&) { on_front_lost(); },
                 [this](const replaced&) { on_replaced(); },
                 [this](const runtime::timer_up& m) { on_timeout(m.number); },
                 // The session itself gets the others, at its hub.
                 ignore<envelope>{}, ignore<runtime::name_assigned>{},
                 ignore<runtime::name_changed>{}, ignore<runtime::resume_accepted>{},
                 ignore<runtime::resume_failed>{}, ignore<runtime::seek_result>{},
                 ignore<runtime::player_removed>{}, ignore<runtime::attach_client>{},
                 ignore<runtime::detached>{}, ignore<runtime::client_presence>{},
                 ignore<runtime::ban_session>{}, ignore<runtime::drain>{}});
}

void far_session::on_seated(const runtime::seated& m) {
  if (at_.game) return;
  game_ = m.game;
  at_ = {m.id, m.seat};
  this->monitor(game_);
  board_.add(at_, self(), front_);
  const auto& rules = board_.options().directory->engines[m.engine].rules;
  tell(messages::seated{at_, player_, std::string{rules.id()}, rules.version_text(), m.restored,
                        form_, features_});
}

void far_session::on_event(event& e) {
  const auto* p = std::get_if<position_ref>(&e.what);
  over_ = over_ || (p != nullptr && (*p)->outcome);
  if (p != nullptr) resend_.reset();
  if (intent_ && e.answers.ticket == intent_->ticket) intent_.reset();
  if (front_lost_) {
    if (over_) leave(leave_cause::disconnected);
    return;
  }
  if (ends_) return;
  const bool is_answer = e.answers.ticket != 0;
  messages::message m{messages::told{at_, std::move(e)}};
  if (is_answer) {
    tell(std::move(m));
  } else if (!unsent_.empty() || lost_events_ || !try_send(m)) {
    // The link does not take it now. The position will show it.
    lost_events_ = true;
    arm(send_timer_, send_again_after, send_timer);
  }
  end_if_too_large();
}

bool far_session::try_send(const messages::message& m) {
  const auto how = board_.send(front_, m, owning_loop().clock());
  too_large_ = too_large_ || how == switchboard::sending::too_large;
  return how != switchboard::sending::later;
}

void far_session::end_if_too_large() {
  if (!std::exchange(too_large_, false) || ends_) return;
  send(game_, runtime::leave_request{at_.seat, {}, leave_cause::disconnected});
  end_with(messages::suspended{at_});
}

void far_session::tell(messages::message m) {
  unsent_.send(std::move(m), [this](const messages::message& each) { return try_send(each); });
  if (!unsent_.empty()) arm(send_timer_, send_again_after, send_timer);
}

// The front learns that events are missing before the game sends its position.
void far_session::send_rest() {
  const auto sends = [this](const messages::message& each) { return try_send(each); };
  if (!unsent_.flush(sends) || (lost_events_ && !ends_ && !try_send(messages::gap{at_})))
    return arm(send_timer_, send_again_after, send_timer);
  end_if_too_large();
  if (ends_) return this->quit();
  if (std::exchange(lost_events_, false))
    send(game_, runtime::resend_request{at_.seat, form_, features_, {}});
}

void far_session::on_down(const caf::down_msg&) {
  down_ = true;
  const auto log = board_.options().log->find(at_.game);
  const bool ended = log && log->records.back().what == journal::record::kind::ended;
  if (over_ || !ended || (resend_ && !show_end(*resend_, *log)))
    return end_with(messages::suspended{at_});
  if (intent_) refuse_ended(*intent_);
}

bool far_session::show_end(messages::resend by, const journal::game_log& log) {
  spectate::log_replay replay{*board_.options().directory, log, at_.seat};
  while (replay.run(log.records.size(), owning_loop())) {
  }
  auto found = replay.take();
  if (!found.ended || !found.position.outcome) return false;
  resend_.reset();
  over_ = true;
  started game{found.game->engine, found.game->marks, found.game->players, at_.seat};
  tell(messages::told{at_, {{by.client, {}}, at_.game, std::move(game)}});
  tell(messages::told{at_,
                      {{}, at_.game, std::make_shared<const position>(std::move(found.position))}});
  return true;
}

void far_session::end_with(messages::message last) {
  if (ends_) return;
  if (!front_lost_) tell(std::move(last));
  ends_ = true;
  if (unsent_.empty()) this->quit();
}

// The player is back, by another front.
void far_session::on_replaced() {
  if (front_lost_ && game_) send(game_, runtime::seat_presence{at_.seat, std::nullopt});
  this->quit();
}

void far_session::on_arrived(arrived& m) {
  if (m.from != front_ || ends_) return board_.stray();
  std::visit(
      [this](auto& what) {
        if constexpr (requires { this->on(what); }) this->on(what);
      },
      m.what);
}

void far_session::refuse_ended(const receipt& answers) {
  tell(messages::told{at_, {answers, at_.game, refused{refusal::game_over, {}, {}}}});
}

void far_session::on(messages::request& m) {
  const receipt answers{m.from.from, m.from.trace, owning_loop().now(), m.from.ticket};
  if (down_) return refuse_ended(answers);
  intent_ = answers;
  const auto seat = at_.seat;
  std::visit(
      [&](auto& what) {
        using what_type = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<what_type, play>)
          send(game_, runtime::play_request{seat, answers, std::move(what.move)});
        else if constexpr (std::is_same_v<what_type, gamehub::leave>)
          send(game_, runtime::leave_request{seat, answers, what.why});
        else if constexpr (std::is_same_v<what_type, chat>)
          send(game_, runtime::chat_request{seat, answers, std::move(what.text)});
        else if constexpr (std::is_same_v<what_type, offer>)
          send(game_, runtime::offer_request{seat, answers, what});
        else
          send(game_, runtime::claim_request{seat, answers});
      },
      m.what);
}

void far_session::on(const messages::resend& m) {
  form_ = m.form;
  features_ = m.features;
  if (down_) {
    const auto log = board_.options().log->find(at_.game);
    if (!log || !show_end(m, *log)) end_with(messages::suspended{at_});
    return;
  }
  resend_ = m;
  send(game_, runtime::resend_request{at_.seat, m.form, m.features, m.client});
}

void far_session::on(const messages::presence& m) {
  send(game_, runtime::seat_presence{at_.seat, m.kept_until});
}

void far_session::on(const messages::rename& m) {
  send(game_, runtime::rename_seat{at_.seat, m.name});
}

void far_session::on(const messages::give_up& m) { leave(m.why); }

// The seat is the front's from here on, and its former session here has it no more.
void far_session::on(const messages::take& m) {
  if (before_) send(std::exchange(before_, nullptr), runtime::game_suspended{at_.game});
  this->monitor(game_);
  send(game_, runtime::reserve_seat{at_.seat, self()});
  messages::taken answer{at_, m.attempt, true, 0, {}};
  const auto log = board_.options().log->find(at_.game);
  if (log && !log->records.empty()) {
    answer.last = log->records.back().number;
    answer.since = tally_of(log->records, at_.seat, m.after);
    for (const auto& r : journal::seats_of(log->records))
      if (r.seat == at_.seat && !m.name.empty() && r.text != m.name)
        send(game_, runtime::rename_seat{at_.seat, m.name});
  }
  tell(std::move(answer));
}

// The player may come back by another front.
void far_session::on_front_lost() {
  if (front_lost_) return;
  front_lost_ = true;
  unsent_.clear();
  if (ends_) return this->quit();
  if (over_) return leave(leave_cause::disconnected);
  const auto patience = board_.options().patience;
  send(game_, runtime::seat_presence{at_.seat, owning_loop().now() + patience});
  arm(front_timer_, patience, front_timer);
}

// The session sends nothing more, so the game forgets it.
void far_session::leave(leave_cause why) {
  if (game_) send(game_, runtime::leave_request{at_.seat, {}, why});
  ends_ = true;
  if (unsent_.empty()) this->quit();
}

void far_session::on_timeout(std::uint64_t number) {
  if (number == front_timer) {
    front_timer_ = {};
    return leave(leave_cause::disconnected);
  }
  send_timer_ = {};
  if (!front_lost_) send_rest();
}

void far_session::arm(base::timers::token& timer, std::chrono::milliseconds after,
                      std::uint64_t number) {
  if (timer) return;
  timer = arm_timer(owning_loop().now() + after, number);
}

void far_session::on_exit() {
  for (auto* each : {&send_timer_, &front_timer_})
    owning_loop().timers().cancel(std::exchange(*each, {}));
  if (at_.game) board_.remove_session(at_, self());
  game_ = nullptr;
  before_ = nullptr;
}

}  // namespace gamehub::actors::far
