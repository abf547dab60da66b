// The session of a client whose player is at another hub of the cluster: it passes intents on to
// that hub, and events to the client.
#include "actors/session/session.hpp"
#include "hub/base/require.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/record.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

namespace gamehub::actors::session {

namespace messages = gamehub::relay;

namespace {

// The ticket of a seek that was answered before, beside those of messages. Clients count from 1.
constexpr ticket seek_again = ~ticket{0} - 1;
using messages::coming_back;

// A hub that takes games over shows them one after the other.
constexpr std::chrono::milliseconds look_again_after{250};
constexpr std::chrono::seconds games_shown_within{5};

// The latest ends of games that are kept for a client that may have missed them. A client of more
// games that have all ended comes back by its secret.
constexpr std::size_t ends_kept_max = 4;

template <class Intent>
game_id game_of(const Intent& what) {
  return std::visit(
      [](const auto& each) {
        if constexpr (requires { each.game; })
          return each.game;
        else
          return game_id{};
      },
      what);
}

// Records that show nothing, such as a chat message or the secret of a seat, raise the number of a
// position: a game that was taken over is shown once more with another number.
std::size_t picture_of(const position& p) {
  std::size_t out = 1;
  const auto add = [&](std::size_t part) { out = out * 0x9E3779B97F4A7C15u + part; };
  add(std::hash<std::string>{}(p.cells));
  add(std::hash<std::string>{}(p.document));
  add(p.to_move);
  add(p.substituted);
  add(p.outcome ? 1 : 0);
  return out;
}

bool asks_for_game(const intent& what) {
  const auto* const o = std::get_if<offer>(&what);
  const bool again = o != nullptr && o->what == offer_kind::rematch &&
                     (o->step == offer_step::offered || o->step == offer_step::accepted);
  return again || std::holds_alternative<seek>(what) || std::holds_alternative<rematch>(what) ||
         std::holds_alternative<challenge>(what);
}

}  // namespace

bool session::receive_at_entry(caf::message& what) {
  return dispatch(
      what,
      std::tuple{
          [this](envelope& m) { pass_on(m); }, [this](runtime::from_home& m) { on_home(m); },
          [this](const runtime::detached& m) {
            if (!client_ || client_->id() != m.from) return;
            client_.reset();
            // Until the home answers, its name and secret may be there or here.
            if (entry_->at != entry_state::step::arrives) leave_both(m.way_lost);
          },
          [this](const runtime::resume_failed&) { look_again_later(); },
          [this](const runtime::client_presence& m) {
            setup_.hubs->send(entry_->home, messages::presence{m.from, m.kept_until},
                              owning_loop().now());
          },
          [this](const runtime::drain& m) { drain_entry(m); },
          [this](const runtime::ban_session&) { close_all(close_reason::banned); },
          [this](const runtime::sleep_granted&) { on_sleep_granted(); },
          [this](runtime::seats_found& m) { on_seats_found(m); },
          [](const runtime::release_seat&) {},
          [this](const runtime::player_removed&) { on_player_removed(); },
          // The lobby has not placed the player, or asks again when it hears where the player is.
          [this](event& m) { on_late_answer(m); }, [](const runtime::seated&) {},
          [](const runtime::name_assigned&) {},
          [this](runtime::name_changed& m) {
            if (m.why) refuse(m.answers, {}, *m.why, {}, std::move(m.detail));
          },
          [](const runtime::resume_accepted&) {}, [](const runtime::seek_result&) {},
          [](const runtime::attach_client&) {}, [](const runtime::game_suspended&) {},
          [this](runtime::go_to_hub& m) { on_go_again(m); },
          [this](const runtime::timer_up& m) {
            if (m.number == return_timer) on_return_timer();
          }});
}

void session::on_game_follows(const runtime::game_suspended& m) {
  if (m.all_returned) {
    if (follows_ && follows_->returning != 0) --follows_->returning;
    return follow_games();
  }
  const auto* const at = player_.find(m.game);
  if (at == nullptr || leaving_) return;
  // The word of the gateway may come later.
  draining_ = true;
  send(at->game, runtime::leave_request{at->seat, {}});
  const bool unseen = static_cast<bool>(at->unseen_by);
  player_.drop_if([&](const seat_entry& p) { return p.id == m.game; });
  hold_seats();
  if (!client_) return on_grace_expired();
  if (!follows_)
    follows_ =
        std::make_unique<entry_state>(entry_state{client_->id(), {}, entry_state::step::lost});
  auto& shown = follows_->games[m.game];
  if (!unseen) shown.number = m.number;
  shown.by_this_home = false;
  shown.unseen = unseen;
  if (!m.digest.empty()) follows_->digest = m.digest;
  if (!can_follow()) return on_grace_expired();
  ++follows_->returning;
}

// The hub between them may end before it has told the client, and a client whose hub has ended may
// not have come back yet.
void session::keep_end(const event& e) {
  const bool may_miss_it =
      !client_ ? may_miss_end() && setup_.hubs != nullptr : relay::exchange::is_far(client_->id());
  if (!may_miss_it) return;
  if (!ends_) ends_ = std::make_unique<std::vector<event>>();
  if (ends_->size() == ends_kept_max) ends_->erase(ends_->begin());
  ends_->push_back({{}, e.game, e.what});
}

bool session::returns(const runtime::attach_client& m) { return m.answers.ticket == coming_back; }

bool session::comes_nearer(runtime::attach_client& m) const {
  if (!returns(m) || !client_ || m.hubs < hubs_) return true;
  runtime::attachment_ref{std::move(m.client), *m.home, owning_loop()}.close(
      close_reason::replaced);
  return false;
}

bool session::can_follow() const {
  // A client of another hub goes on there.
  return setup_.hubs != nullptr && client_ && !relay::exchange::is_far(client_->id()) &&
         setup_.directory->wires[wire_].crossing != hub_crossing::none;
}

bool session::is_for_followed(const intent& what) {
  if (!player_.playing()) return true;
  return follows_->games.contains(game_of(what));
}

// A gateway passes requests on itself: it must not pass on a move that may have been made.
void session::hold_for_followed(envelope& m) {
  const auto* const move = std::get_if<play>(&m.what);
  if (passes_requests() && move != nullptr && move->repeated_after != 0)
    return refuse(m.receipt, move->game, refusal::draining);
  follows_->held_intents.push_back(std::move(m));
}

void session::follow_games() {
  if (!follows_ || !can_follow() || leaving_ || player_.playing() || follows_->returning != 0)
    return;
  if (std::exchange(follows_->removing, true)) return;
  // It answers first what the client has asked.
  send(setup_.lobby, runtime::player_left{self(), id_, has_suspended_});
}

void session::become_entry() {
  auto& timers = owning_loop().timers();
  timers.cancel(std::exchange(deadline_, {}));
  timers.cancel(std::exchange(stay_timer_, {}));
  if (const auto was = std::exchange(absence_, nullptr)) timers.cancel(was->timer);
  set_unused({});
  player_ = {};
  if (address_) {
    timers.cancel(std::exchange(address_->timer, {}));
    address_->delayed_seek.reset();
    address_->freed_seats = 0;
    hold_seats();
  }
  entry_ = std::move(follows_);
  if (identity_)
    entry_->digest =
        identity_->secret.empty() ? identity_->digest : journal::digest_of(identity_->secret);
  entry_->lost_at = owning_loop().now();
  // Some came back from a game after later ones had arrived.
  auto& held = entry_->held_intents;
  std::stable_sort(held.begin(), held.end(), [](const envelope& a, const envelope& b) {
    return a.receipt.ticket < b.receipt.ticket;
  });
  look_for_home();
}

void session::drain_entry(const runtime::drain& m) {
  draining_ = true;
  const bool far = !client_ ? hubs_ != 0 : relay::exchange::is_far(client_->id());
  // A client of a third hub goes on at its player's without this one.
  // One that has no game can't: it is a new player.
  entry_->departs = !far || entry_->games.empty();
  // The hub does not wait for the answer of another one.
  if (!client_ && !leaving_) return leave_both();
  const bool stays = m.what >= runtime::hand_over::of_following && !m.at_last && !far;
  const bool there = entry_->at == entry_state::step::there;
  if (!stays || (!there && entry_->games.empty())) return close_all(close_reason::draining);
  entry_->seeks.reset();
  if (there) withdraw_at_home();
}

void session::withdraw_at_home() {
  entry_->withdraws = send_home({entry_->client, {}, {}, messages::no_more_games}, leave{{}, true});
}

void session::leave_when_done() {
  const bool last = draining_ || entry_->seek_refused;
  if (last && entry_->at == entry_state::step::there && entry_->games.empty() &&
      entry_->unanswered.empty() && !entry_->withdraws)
    close_all(close_reason::draining);
}

bool session::passes_requests() const {
  return setup_.directory->wires[wire_].crossing == hub_crossing::requests;
}

void session::give_up_client(const receipt& r, messages::member_id home) {
  deliver({r, {}, refused{refusal::player_elsewhere, std::to_string(home.value), {}}});
  close_all(close_reason::hub_full);
  if (const auto was = std::exchange(entry_, nullptr)) {
    owning_loop().timers().cancel(was->timer);
    setup_.hubs->leave(was->client);
    leave_hub();
  }
}

messages::client_at session::client_at_entry(std::uint32_t moves) const {
  messages::client_at c{client_->id(), setup_.directory->wires[wire_].name, features_, std::nullopt,
                        moves};
  // This hub comes back for it.
  c.features.resumes = true;
  if (const auto account = client_->share()->account()) c.address = account->address();
  return c;
}

void session::on_go(runtime::go_to_hub& m) {
  // The lobby hears that the client has gone.
  if (leaving_ || !client_) return;
  owning_loop().timers().cancel(std::exchange(deadline_, {}));
  set_unused({});
  const bool resumes = std::holds_alternative<runtime::resume_request>(m.why);
  if (resumes && passes_requests())
    return give_up_client(std::get<runtime::resume_request>(m.why).what.answers, m.home);
  const auto client = client_->id();
  entry_ = std::make_unique<entry_state>(entry_state{
      client, m.home, resumes ? entry_state::step::resumes : entry_state::step::arrives});
  entry_->why = std::move(m.why);
  const auto now = owning_loop().now();
  bool sent = setup_.hubs->enter(client, m.home, self());
  if (resumes) {
    const auto& r = std::get<runtime::resume_request>(entry_->why);
    if (pending_resume_) entry_->held_intents = std::move(pending_resume_->held_intents);
    entry_->unanswered.push_back({r.what.answers, {}, {}});
    sent = sent &&
           setup_.hubs->send(
               m.home,
               messages::attach{client_at_entry(hubs_ + 1u), m.digest, r.what.answers.ticket}, now);
  } else {
    // A client without a secret has one that it is not told.
    if (m.digest.empty()) m.digest = journal::digest_of(setup_.secrets->secret());
    sent = sent && setup_.hubs->send(m.home,
                                     messages::arrive{client_at_entry(hubs_ + 1u),
                                                      identity_ ? identity_->name : std::string{},
                                                      m.digest, std::move(m.former_names)},
                                     now);
  }
  entry_->digest = std::move(m.digest);
  if (!sent) return_from_home();
}

void session::on_late_answer(event& e) {
  if (e.answers.ticket == 0) return;
  // The seek that was withdrawn goes on at the home.
  const bool withdrawn = !e.game && std::holds_alternative<gamehub::done>(e.what);
  if (!withdrawn) return deliver(e);
  envelope again{e.answers, gamehub::leave{{}, true}};
  pass_on(again);
}

void session::pass_on(envelope& m) {
  if (entry_->at != entry_state::step::there) return entry_->held_intents.push_back(std::move(m));
  const auto r = m.receipt;
  if (draining_ && asks_for_game(m.what)) return refuse(r, {}, refusal::draining);
  if (std::holds_alternative<sign_in>(m.what)) return refuse(r, {}, refusal::already_signed_in);
  // Hubs of a cluster put no game to sleep.
  if (std::holds_alternative<find_seat>(m.what)) return refuse(r, {}, refusal::not_in_game);
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
        if constexpr (std::is_constructible_v<messages::crossing_intent, decltype(std::move(what))>)
          pass_on(r, std::move(what));
      },
      m.what);
}

void session::pass_on(const receipt& r, messages::crossing_intent what) {
  if (auto* s = std::get_if<seek>(&what)) s->features.resumes = true;
  auto game = game_of(what);
  if (!game && entry_->games.size() == 1) game = entry_->games.begin()->first;
  if (const auto* l = std::get_if<leave>(&what); l != nullptr && (!l->game || l->only_waiting))
    entry_->seeks.reset();
  entry_->unanswered.push_back({r, game, what});
  // The link takes no more: the client comes back, and is shown its games.
  if (!send_home(r, std::move(what))) close_all(close_reason::draining);
}

bool session::send_home(const receipt& r, messages::crossing_intent what) {
  const bool sent = setup_.hubs->send(
      entry_->home, messages::request{entry_->client, r.ticket, r.trace, std::move(what)},
      owning_loop().now());
  // The word that the home has gone is on its way here: what has no answer is said again then.
  return sent || !setup_.hubs->lives(entry_->home);
}

void session::on_home(runtime::from_home& m) {
  using step = entry_state::step;
  // What was on its way from the home that the client has left.
  if (entry_->at == step::lost) return;
  if (auto* e = std::get_if<event>(&m.what)) return on_home_event(*e);
  if (std::holds_alternative<runtime::from_home::accepted>(m.what)) return on_arrival();
  const auto* const why = std::get_if<close_reason>(&m.what);
  const bool replaced = why != nullptr && *why == close_reason::replaced;
  // Its games go on at another hub.
  if (why == nullptr || *why == close_reason::draining ||
      (entry_->at == step::returns && !replaced))
    return on_home_lost();
  if (entry_->at == step::resumes || entry_->at == step::arrives) return return_from_home();
  close_all(*why);
}

void session::on_home_event(event& e) {
  if (e.answers.ticket == coming_back) return on_returned(e);
  if (e.answers.ticket == messages::no_more_games && entry_->withdraws) {
    entry_->withdraws = false;
    // The client will hear of it.
    if (e.game && !entry_->games.contains(e.game)) entry_->games[e.game].unseen = true;
    return leave_when_done();
  }
  auto& all = entry_->unanswered;
  game_id answered;
  if (e.answers.ticket != 0) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& each) {
      return each.answers.ticket == e.answers.ticket;
    });
    // It was answered before the player moved.
    if (at == all.end()) {
      if (e.answers.ticket == seek_again) on_seek_answered(e);
      return;
    }
    const auto stages = e.answers.stages;
    e.answers = at->answers;
    e.answers.stages = stages;
    answered = at->game;
    if (const auto* p = std::get_if<placed>(&e.what))
      if (auto* s = std::get_if<seek>(&at->what)) {
        entry_->seeks = std::move(*s);
        if (p->seat && !entry_->seeks->again) entry_->seeks->seat = p->seat;
      }
    const bool repeated_move = at->repeated && std::holds_alternative<play>(at->what);
    all.erase(at);
    if (repeated_move) answer_with_end(answered, e);
  }
  if (entry_->at == entry_state::step::resumes) {
    auto* const in = std::get_if<signed_in>(&e.what);
    if (in == nullptr) return return_from_home();
    in->secret = std::get<runtime::resume_request>(entry_->why).secret;
    // The lobby knows this session as that of no player.
    pending_resume_.reset();
    deliver(e);
    return on_arrival();
  }
  if (follow(e)) deliver(e);
  if (answered) release_held(answered);
  if (entry_->at == entry_state::step::returns) end_return();
  leave_when_done();
}

bool session::follow(event& e) {
  auto& games = entry_->games;
  const auto at = games.find(e.game);
  auto& seeks = entry_->seeks;
  if (std::holds_alternative<started>(e.what)) {
    if (seeks && !seeks->again) seeks.reset();
    return at == games.end() ? games.try_emplace(e.game).second
                             : std::exchange(at->second.unseen, false) || at->second.by_this_home;
  }
  const auto* const p = std::get_if<position_ref>(&e.what);
  if (p == nullptr) return true;
  // The client knows the end of a game that is not running.
  if (at == games.end()) return entry_->at != entry_state::step::returns;
  auto& g = at->second;
  const auto picture = picture_of(**p);
  const bool shown =
      !std::exchange(g.by_this_home, true) && ((*p)->number <= g.number || picture == g.picture);
  const bool answers = e.answers.ticket != 0;
  const auto repeats = [&](const entry_state::passed_intent& i) {
    return i.game == e.game && std::holds_alternative<play>(i.what) &&
           (i.repeated || entry_->at == entry_state::step::returns);
  };
  const auto waits = [&](const envelope& held) {
    const auto* const move = std::get_if<play>(&held.what);
    return move != nullptr && (move->game == e.game || !move->game);
  };
  const auto& held = entry_->held_intents;
  // The answer to a move comes before a later position, and may be that position.
  if (!shown && !answers &&
      (std::any_of(entry_->unanswered.begin(), entry_->unanswered.end(), repeats) ||
       std::any_of(held.begin(), held.end(), waits))) {
    g.held = std::move(e);
    return false;
  }
  if (shown && !answers) return false;
  g.number = std::max<std::uint64_t>(g.number, (*p)->number);
  g.picture = picture;
  if ((*p)->outcome) games.erase(at);
  return true;
}

// A home that did not end has the seek.
void session::on_seek_answered(const event& e) {
  const auto* const no = std::get_if<refused>(&e.what);
  entry_->seek_refused = no != nullptr && no->why != refusal::already_in_game;
  if (entry_->seek_refused && entry_->games.empty()) close_all(close_reason::draining);
}

// Only its player could move, so a game that ended by its rules has the move, unless a seat was
// played by a substitute.
void session::answer_with_end(game_id game, event& answer) {
  const auto* const no = std::get_if<refused>(&answer.what);
  if (no == nullptr || no->why != refusal::not_in_game) return;
  const auto at = entry_->games.find(game);
  if (at == entry_->games.end() || !at->second.held) return;
  const auto& last = *std::get<position_ref>(at->second.held->what);
  const bool by_rules = last.outcome && last.outcome->reason == end_reason::rules;
  if (!by_rules || last.substituted != 0) return;
  const auto answers = answer.answers;
  answer = *std::exchange(at->second.held, std::nullopt);
  answer.answers = answers;
}

void session::release_held(game_id game) {
  const auto at = entry_->games.find(game);
  if (at == entry_->games.end() || !at->second.held) return;
  auto held = *std::exchange(at->second.held, std::nullopt);
  if (std::get<position_ref>(held.what)->number <= at->second.number) return;
  if (follow(held)) deliver(held);
}

void session::on_arrival() {
  const bool moved = entry_->at == entry_state::step::arrives;
  entry_->at = entry_state::step::there;
  if (moved) {
    send(setup_.lobby, runtime::player_moved{id_});
    if (address_) address_->seats.set(0);
    player_ = {};
    if (!client_) return leave_both();
    auto& m = std::get<runtime::seek_request>(entry_->why);
    if (passes_requests()) return give_up_client(m.answers, entry_->home);
    m.what.features.resumes = true;
    if (m.answers.ticket == 0) entry_->seeks = m.what;
    // A seek that was answered here is not answered again.
    if (m.answers.ticket != 0)
      pass_on(m.answers, std::move(m.what));
    else if (!send_home({entry_->client, {}, {}, seek_again}, std::move(m.what)))
      close_all(close_reason::draining);
  }
  entry_->why = {};
  for (auto& e : std::exchange(entry_->held_intents, {})) pass_on(e);
}

void session::on_home_lost() {
  using step = entry_state::step;
  if (leaving_) return;
  if (entry_->at == step::resumes || entry_->at == step::arrives) return return_from_home();
  const bool again = entry_->at != step::there;
  // A hub that did not take it keeps nothing of it.
  again ? leave_home() : setup_.hubs->leave(entry_->client);
  // A player without a running game is at no hub: with its secret the client comes back as a new
  // one.
  if (entry_->games.empty())
    return identity_ || draining_ ? close_all(close_reason::draining) : begin_anew();
  if (!again) entry_->lost_at = owning_loop().now();
  entry_->at = step::lost;
  for (auto& [id, g] : entry_->games) g.by_this_home = false, g.held.reset();
  again ? look_again_later() : look_for_home();
}

void session::begin_anew() {
  owning_loop().timers().cancel(entry_->timer);
  const auto client = entry_->client;
  auto was = std::move(entry_);
  set_deadline();
  for (auto& each : was->unanswered) {
    if (std::holds_alternative<seek>(each.what)) was->seeks.reset();
    std::visit([&](auto& what) { on_intent(each.answers, what); }, each.what);
  }
  // It was answered.
  if (was->seeks) on_intent(receipt{client, {}, owning_loop().now()}, *was->seeks);
  for (auto& e : was->held_intents) on_intent(e);
}

void session::look_for_home() {
  GAMEHUB_REQUIRE(client_.has_value());
  const receipt answers{entry_->client, {}, owning_loop().now(), coming_back};
  runtime::resume_request r{self(), id_, {}, {}, {}};
  r.what = {client_->share(), &owning_loop(), wire_, {}, answers, features_};
  r.returns = true;
  r.digest = entry_->digest;
  send(setup_.lobby, std::move(r));
}

void session::look_again_later() {
  if (leaving_ || entry_->at != entry_state::step::lost) return;
  owning_loop().timers().cancel(entry_->timer);
  entry_->timer = arm_timer(owning_loop().now() + look_again_after, return_timer);
}

void session::on_go_again(runtime::go_to_hub& m) {
  if (leaving_ || !client_ || entry_->at != entry_state::step::lost) return;
  if (passes_requests()) return give_up_client({entry_->client, {}, owning_loop().now()}, m.home);
  entry_->home = m.home;
  if (!setup_.hubs->enter(entry_->client, m.home, self()) ||
      !setup_.hubs->send(m.home,
                         messages::attach{client_at_entry(hubs_ + 1u), m.digest, coming_back},
                         owning_loop().now()))
    return look_again_later();
  entry_->at = entry_state::step::returns;
  owning_loop().timers().cancel(entry_->timer);
  entry_->timer = arm_timer(owning_loop().now() + games_shown_within, return_timer);
}

void session::on_return_timer() {
  entry_->timer = {};
  // The client has gone while this message waited.
  if (leaving_) return;
  const bool late = owning_loop().now() - entry_->lost_at >= limits::return_time_max;
  if (entry_->at == entry_state::step::lost && !late) return look_for_home();
  // A game has ended without a word, or its hub does not come.
  if (entry_->at != entry_state::step::there) close_all(close_reason::draining);
}

void session::on_returned(const event& e) {
  if (entry_->at != entry_state::step::returns) return;
  if (!std::holds_alternative<signed_in>(e.what)) return on_home_lost();
  setup_.hubs->count_return();
  if (entry_->seeks && entry_->seeks->again && !draining_)
    send_home({entry_->client, {}, {}, seek_again}, *entry_->seeks);
}

void session::end_return() {
  const auto& games = entry_->games;
  if (!std::all_of(games.begin(), games.end(),
                   [](const auto& each) { return each.second.by_this_home; }))
    return;
  entry_->at = entry_state::step::there;
  owning_loop().timers().cancel(std::exchange(entry_->timer, {}));
  if (draining_) withdraw_at_home();
  for (auto& each : std::exchange(entry_->unanswered, {})) repeat(std::move(each));
  for (auto& e : std::exchange(entry_->held_intents, {})) {
    const auto before = entry_->unanswered.size();
    pass_on(e);
    // Its answer comes before a later position, as that of a repeated one.
    if (entry_->unanswered.size() > before) entry_->unanswered.back().repeated = true;
  }
}

void session::repeat(entry_state::passed_intent what) {
  const auto& before = entry_->unanswered;
  auto* const move = std::get_if<play>(&what.what);
  const bool second = move != nullptr && std::any_of(before.begin(), before.end(), [&](auto& each) {
                        return each.game == what.game && std::holds_alternative<play>(each.what);
                      });
  // It may have been said. The client sees what became of a second move.
  if (second || std::holds_alternative<chat>(what.what) ||
      (draining_ && std::holds_alternative<seek>(what.what)))
    return refuse(what.answers, what.game, refusal::draining);
  if (move != nullptr)
    if (const auto at = entry_->games.find(what.game); at != entry_->games.end())
      move->repeated_after = at->second.number;
  what.repeated = true;
  if (!send_home(what.answers, what.what)) close_all(close_reason::draining);
  entry_->unanswered.push_back(std::move(what));
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
  m.asked_hubs = true;
  m.moves = runtime::seek_request::moving::later;
  send(setup_.lobby, std::move(m));
  if (!client_) return leave_hub();
  set_deadline();
  for (auto& e : was->held_intents) on_intent(e);
}

void session::leave_both(bool way_lost) {
  owning_loop().timers().cancel(std::exchange(entry_->timer, {}));
  leave_home(way_lost);
  leave_hub();
}

void session::leave_home(bool way_lost) {
  setup_.hubs->leave(entry_->client);
  if (entry_->departs)
    setup_.hubs->send(entry_->home, messages::depart{entry_->client, way_lost},
                      owning_loop().now());
}

}  // namespace gamehub::actors::session
