// The session of a client whose player is at another hub of the cluster: it passes intents on to
// that hub, and events to the client.
#include "actors/session/session.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gamehub::actors::session {

namespace messages = gamehub::relay;

namespace {

// The ticket of a seek that was answered before its player moved. Clients count from 1.
constexpr ticket seek_again = ~ticket{0} - 1;

}  // namespace

bool session::receive_at_entry(caf::message& what) {
  return dispatch(
      what,
      std::tuple{
          [this](envelope& m) { pass_on(m); }, [this](runtime::from_home& m) { on_home(m); },
          [this](const runtime::detached& m) {
            if (attachments_.empty() || attachments_.front().id() != m.from) return;
            attachments_.clear();
            leave_home();
            leave_hub();
          },
          [this](const runtime::client_presence& m) {
            setup_.hubs->send(entry_->home, messages::presence{m.from, m.kept_until},
                              owning_loop().now());
          },
          [this](const runtime::drain&) { close_all(close_reason::draining); },
          [this](const runtime::ban_session&) { close_all(close_reason::banned); },
          [this](const runtime::player_removed&) { on_player_removed(); },
          // The lobby has not placed the player, or asks again when it hears where the player is.
          [](const event&) {}, [](const runtime::seated&) {}, [](const runtime::name_assigned&) {},
          [](const runtime::name_changed&) {}, [](const runtime::resume_accepted&) {},
          [](const runtime::resume_failed&) {}, [](const runtime::seek_result&) {},
          [](const runtime::attach_client&) {}, [](const runtime::game_suspended&) {},
          [](const runtime::go_to_hub&) {}, [](const runtime::timer_up&) {}});
}

messages::client_at session::client_at_entry(std::uint32_t moves) const {
  messages::client_at c{attachments_.front().id(), setup_.directory->wires[wire_].name, features_,
                        std::nullopt, moves};
  if (const auto account = attachments_.front().share()->account()) c.address = account->address();
  return c;
}

void session::on_go(runtime::go_to_hub& m) {
  // The lobby hears that the client has gone.
  if (leaving_ || attachments_.empty()) return;
  owning_loop().timers().cancel(std::exchange(deadline_, {}));
  set_unused({});
  const bool resumes = std::holds_alternative<runtime::resume_request>(m.why);
  const auto client = attachments_.front().id();
  entry_ = std::make_unique<entry_state>(entry_state{
      client, m.home, resumes ? entry_state::step::resumes : entry_state::step::arrives});
  entry_->why = std::move(m.why);
  const auto now = owning_loop().now();
  bool sent = setup_.hubs->enter(client, m.home, self());
  if (resumes) {
    const auto& r = std::get<runtime::resume_request>(entry_->why);
    entry_->secret = r.secret;
    if (pending_resume_) entry_->held_intents = std::move(pending_resume_->held_intents);
    entry_->unanswered.push_back(r.what.answers);
    sent =
        sent &&
        setup_.hubs->send(
            m.home, messages::attach{client_at_entry(hubs_), m.digest, r.what.answers.ticket}, now);
  } else {
    if (identity_) entry_->secret = identity_->secret;
    sent = sent && setup_.hubs->send(m.home,
                                     messages::arrive{client_at_entry(hubs_ + 1u),
                                                      identity_ ? identity_->name : std::string{},
                                                      m.digest, std::move(m.former_names)},
                                     now);
  }
  if (!sent) return_from_home();
}

void session::pass_on(envelope& m) {
  if (entry_->at != entry_state::step::there) return entry_->held_intents.push_back(std::move(m));
  const auto r = m.receipt;
  if (std::holds_alternative<sign_in>(m.what)) return refuse(r, {}, refusal::already_signed_in);
  if (const auto* o = std::get_if<offer>(&m.what); o != nullptr && !o->mistake.empty())
    return refuse(r, o->game, refusal::malformed, {}, std::string{o->mistake});
  if (auto* p = std::get_if<play>(&m.what);
      p != nullptr && p->move.text.size() > limits::crossing_text_bytes_max)
    return refuse(r, p->game, refusal::malformed, std::move(p->move));
  if (const auto* c = std::get_if<chat>(&m.what);
      c != nullptr && c->text.size() > limits::crossing_text_bytes_max)
    return refuse(r, c->game, refusal::malformed);
  std::visit(
      [&](auto& what) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(what)>, sign_in>)
          pass_on(r, std::move(what));
      },
      m.what);
}

void session::pass_on(const receipt& r, messages::crossing_intent what) {
  entry_->unanswered.push_back(r);
  // What was lost can't be said again: the client comes back, and is shown its games.
  if (!setup_.hubs->send(entry_->home,
                         messages::request{entry_->client, r.ticket, r.trace, std::move(what)},
                         owning_loop().now()))
    close_all(close_reason::draining);
}

void session::on_home(runtime::from_home& m) {
  if (auto* e = std::get_if<event>(&m.what)) return on_home_event(*e);
  if (std::holds_alternative<runtime::from_home::accepted>(m.what)) return on_arrival();
  if (std::holds_alternative<runtime::from_home::lost>(m.what)) return on_home_lost();
  if (entry_->at != entry_state::step::there) return return_from_home();
  close_all(std::get<close_reason>(m.what));
}

void session::on_home_event(event& e) {
  auto& all = entry_->unanswered;
  if (e.answers.ticket != 0) {
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const receipt& r) { return r.ticket == e.answers.ticket; });
    // It was answered before the player moved.
    if (at == all.end()) {
      if (e.answers.ticket == seek_again && std::holds_alternative<refused>(e.what))
        close_all(close_reason::draining);
      return;
    }
    const auto stages = e.answers.stages;
    e.answers = *at;
    e.answers.stages = stages;
    all.erase(at);
  }
  if (entry_->at == entry_state::step::resumes) {
    auto* const in = std::get_if<signed_in>(&e.what);
    if (in == nullptr) return return_from_home();
    in->secret = entry_->secret;
    // The lobby knows this session as that of no player.
    pending_resume_.reset();
    deliver(e);
    return on_arrival();
  }
  deliver(e);
}

void session::on_arrival() {
  const bool moved = entry_->at == entry_state::step::arrives;
  entry_->at = entry_state::step::there;
  if (moved) {
    send(setup_.lobby, runtime::player_moved{id_});
    if (address_) address_->seats.set(0);
    player_ = {};
    auto& m = std::get<runtime::seek_request>(entry_->why);
    // A seek that was answered here is not answered again.
    if (m.answers.ticket != 0)
      pass_on(m.answers, std::move(m.what));
    else if (!setup_.hubs->send(
                 entry_->home, messages::request{entry_->client, seek_again, {}, std::move(m.what)},
                 owning_loop().now()))
      close_all(close_reason::draining);
  }
  entry_->why = {};
  for (auto& e : std::exchange(entry_->held_intents, {})) pass_on(e);
}

void session::return_from_home() {
  leave_home();
  auto was = std::move(entry_);
  if (auto* r = std::get_if<runtime::resume_request>(&was->why)) {
    if (pending_resume_) pending_resume_->held_intents = std::move(was->held_intents);
    r->asked_hubs = true;
    return send(setup_.lobby, std::move(*r));
  }
  auto& m = std::get<runtime::seek_request>(was->why);
  m.may_move = false;
  send(setup_.lobby, std::move(m));
  set_deadline();
  for (auto& e : was->held_intents) on_intent(e);
}

void session::on_home_lost() {
  if (entry_->at != entry_state::step::there) return return_from_home();
  // Its games go on at another hub, where the client finds them when it comes back.
  close_all(close_reason::draining);
}

void session::leave_home() {
  setup_.hubs->leave(entry_->client);
  setup_.hubs->send(entry_->home, messages::depart{entry_->client}, owning_loop().now());
}

}  // namespace gamehub::actors::session
