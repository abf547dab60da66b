// The other hubs of the cluster: a player that comes back is looked for there, and a player that
// finds no opponent here moves to the hub of one.
#include "actors/lobby/lobby.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

namespace messages = gamehub::relay;

namespace {

// When a hub has come, it is asked for opponents of this many players at once. It asks itself for
// those that come later.
constexpr std::size_t asked_again_max = 1'024;

using moving = runtime::seek_request::moving;

// A player of a game of three or more, or with a name as its opponent, asks again after this time;
// one that has moved often, or could not move, asks then.
constexpr std::chrono::seconds later_pause{3};

// Questions about games have numbers from here on, which no player has.
constexpr std::uint64_t located_first = std::uint64_t{1} << 63;

// Returns the first bot that a seek asks for and that is not ready, or null.
template <class Ready>
const std::string* first_missing_bot(const seek& what, Ready is_ready) {
  if (what.opponent_ready && !is_ready(what.opponent)) return &what.opponent;
  for (const auto& each : what.others)
    if (each.who == seat_filler::kind::bot && !is_ready(each.name)) return &each.name;
  return nullptr;
}

bool asks_for_bots(const seek& what) {
  return first_missing_bot(what, [](const std::string&) { return false; }) != nullptr;
}

}  // namespace

bool lobby::ask_for_player(runtime::resume_request& m, const std::string& digest) {
  if (setup_.hubs == nullptr || m.relayed || m.asked_hubs ||
      setup_.directory->wires[m.what.wire].crossing == hub_crossing::none)
    return false;
  const auto now = owning_loop().now();
  const bool asked = questions_.begin(
      m.player, setup_.hubs->others(), now, [&](relay::member_id to, std::uint64_t number) {
        return setup_.hubs->send(to, messages::find_player{number, digest}, now);
      });
  if (!asked) return false;
  asked_for_.insert_or_assign(m.player, std::move(m));
  arm_hub_timer();
  return true;
}

bool lobby::ask_for_opponent(const runtime::seek_request& m, const runtime::seek_result& reply) {
  const auto& what = m.what;
  if (setup_.hubs == nullptr || m.moves == moving::never || m.playing != 0 || what.games_max != 1 ||
      what.only_by_name || what.closed || !what.invitation.empty() || what.join || m.rematch_of ||
      rules_of_seeks().plays_against_engine(m) || !matches_.waits(m.player))
    return false;
  const bool by_requests = setup_.directory->wires[m.wire].crossing == hub_crossing::requests;
  if (!by_requests && (what.reserve_game || what.replaces)) return false;
  seeks_.at(m.player).meeting =
      std::make_unique<open_meeting>(open_meeting{m, std::optional{reply}});
  const auto now = owning_loop().now();
  const bool is_one_of_many =
      now - std::exchange(lone_at_, now) < question_pause && !questions_.is_open(m.player);
  const bool later = m.moves == moving::later;
  if (later || is_one_of_many) {
    expected_.emplace(now + (later ? later_pause : question_pause), m.player);
    arm_hub_timer();
    if (later) send_reply(m.player);
    return true;
  }
  ask_again(m.player);
  if (!questions_.is_open(m.player)) send_reply(m.player);
  return true;
}

void lobby::ask_again(player_id player) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end() || !at->second.meeting || draining_ || questions_.is_open(player) ||
      !matches_.waits(player))
    return;
  const auto now = owning_loop().now();
  auto& mine = *at->second.meeting;
  messages::find_opponent question{0,
                                   setup_.directory->wires[mine.request.wire].name,
                                   at->second.name,
                                   mine.request.what,
                                   matches_.gathered(player),
                                   staying(matches_.group_of(player))};
  // Who is asked for by name may come to another hub later.
  if (question.gathered != 0 || !question.what.opponent.empty())
    expected_.emplace(now + later_pause, player);
  questions_.begin(player, setup_.hubs->others(), now,
                   [&](relay::member_id to, std::uint64_t number) {
                     question.question = number;
                     return setup_.hubs->send(to, question, now);
                   });
  arm_hub_timer();
}

std::uint32_t lobby::staying(const std::vector<player_id>& group) const {
  return static_cast<std::uint32_t>(
      std::count_if(group.begin(), group.end(), [this](player_id each) {
        const auto at = seeks_.find(each);
        return at == seeks_.end() || !at->second.meeting;
      }));
}

void lobby::on_hub(runtime::from_hub& m) {
  if (setup_.hubs == nullptr) return;
  const auto say = [&](std::uint64_t question, bool yes) {
    setup_.hubs->send(m.from, messages::answer{question, yes}, owning_loop().now());
  };
  if (const auto* f = std::get_if<messages::find_player>(&m.what))
    return say(f->question, is_here(f->digest));
  if (const auto* g = std::get_if<messages::find_game>(&m.what))
    return say(g->question, is_here(g->game, g->party));
  if (const auto* a = std::get_if<messages::answer>(&m.what)) {
    if (const auto ended = questions_.on_answer(m.from, a->question, a->yes))
      on_question_ended(*ended);
    return;
  }
  const auto* f = std::get_if<messages::find_opponent>(&m.what);
  if (f == nullptr) return;
  // A bot may be busy: the player waits for it here.
  if (asks_for_bots(f->what)) return say(f->question, has_bots(*f));
  const auto found = opponent_for(*f);
  const auto self = setup_.hubs->self();
  const bool yes = found && (found->gathered == 0 ||
                             gathers_here(self, m.from, {staying(found->group), found->gathered},
                                          {f->stay, f->gathered}));
  if (!yes) return say(f->question, false);
  // If the other one does not come, it is asked for again.
  if (const auto at = seeks_.find(found->who); at != seeks_.end() && at->second.meeting) {
    at->second.meeting->expects_until = owning_loop().now() + hub_questions::answer_max;
    expected_.emplace(at->second.meeting->expects_until, found->who);
  }
  say(f->question, true);
  arm_hub_timer();
}

// A hub that drains has the players whose games it has not handed over. If it hands none over, they
// may be those of another hub.
bool lobby::is_here(const std::string& digest) const {
  const auto player = names_.find_digest(digest);
  return player && players_.contains(*player) &&
         (!draining_ || hands_over_ != runtime::hand_over::none);
}

bool lobby::ask_for_game(player_id about, game_id game, const std::string& invitation) {
  const auto party = invitation.empty() ? std::string{} : party_of_invitation(invitation);
  if (setup_.hubs == nullptr || is_here(game, party)) return false;
  const auto now = owning_loop().now();
  const bool asked = questions_.begin(
      about, setup_.hubs->others(), now, [&](relay::member_id to, std::uint64_t number) {
        return setup_.hubs->send(to, messages::find_game{number, game, party}, now);
      });
  if (asked) arm_hub_timer();
  return asked;
}

void lobby::on_locate(runtime::locate_game& m) {
  const player_id about{located_first + ++last_located_};
  if (!ask_for_game(about, m.game, m.invitation)) return m.found(std::nullopt);
  locating_.emplace(about, open_location{m.game, std::move(m.found)});
}

bool lobby::ask_for_game(runtime::seek_request& m) {
  const auto& what = m.what;
  if (m.moves == moving::never || m.asked_hubs || m.looked_asleep ||
      (!what.join && what.invitation.empty()) || questions_.is_open(m.player) ||
      !ask_for_game(m.player, what.join, what.invitation))
    return false;
  joining_.insert_or_assign(m.player, std::move(m));
  return true;
}

const std::string* lobby::missing_bot(const runtime::seek_request& m) const {
  return first_missing_bot(m.what,
                           [this](const std::string& name) { return matches_.is_ready(name); });
}

bool lobby::ask_for_bots(runtime::seek_request& m) {
  const auto& wire = setup_.directory->wires[m.wire];
  // A seek whose engine or log was asked for comes back once only.
  if (setup_.hubs == nullptr || m.moves == moving::never || m.asked_hubs || !m.asked.empty() ||
      m.looked_for_log || m.looked_asleep || questions_.is_open(m.player))
    return false;
  const auto now = owning_loop().now();
  const bool asked = questions_.begin(
      m.player, setup_.hubs->others(), now, [&](relay::member_id to, std::uint64_t number) {
        return setup_.hubs->send(to, messages::find_opponent{number, wire.name, m.name, m.what, 0},
                                 now);
      });
  if (!asked) return false;
  joining_.insert_or_assign(m.player, std::move(m));
  arm_hub_timer();
  return true;
}

bool lobby::has_bots(const messages::find_opponent& m) {
  if (draining_ || is_full()) return false;
  load_new_engines();
  return std::any_of(m.what.engines.begin(), m.what.engines.end(), [&](const std::string& id) {
    const auto number = setup_.directory->find_engine(id);
    if (!number) return false;
    const auto kind = setup_.directory->engines[*number].kind;
    return first_missing_bot(m.what, [&](const std::string& name) {
             return matches_.is_ready(name, kind);
           }) == nullptr;
  });
}

std::optional<matchmaker::found_opponent> lobby::opponent_for(const messages::find_opponent& m) {
  const auto& wires = setup_.directory->wires;
  const auto wire = std::find_if(wires.begin(), wires.end(), [&](const auto& w) {
    return w.name == m.wire && w.crossing != hub_crossing::none;
  });
  if (draining_ || is_full() || wire == wires.end()) return std::nullopt;
  load_new_engines();
  runtime::seek_request as;
  as.name = m.name;
  as.what = m.what;
  as.wire = static_cast<std::uint16_t>(wire - wires.begin());
  // To ask an engine in its own process would block this loop.
  for (std::size_t i = 0; i < as.what.engines.size() && i < as.what.options.size(); ++i) {
    const auto number = setup_.directory->find_engine(as.what.engines[i]);
    if (number && !as.what.options[i].empty() &&
        setup_.directory->engines[*number].rules.host() != nullptr)
      return std::nullopt;
  }
  auto queues = rules_of_seeks().queues_for(as);
  auto* const keys = std::get_if<std::vector<queue_key>>(&queues);
  if (keys == nullptr) return std::nullopt;
  update_room();
  return matches_.find_opponent(rules_of_seeks().open_seek_of(as, std::move(*keys), {}));
}

void lobby::on_question_ended(const hub_questions::result& r) {
  count_questions();
  if (const auto located = locating_.extract(r.about)) {
    const auto& [game, found] = located.mapped();
    return r.yes || !look_for_owner(game, found) ? found(r.yes) : void();
  }
  if (auto asked = asked_for_.extract(r.about)) {
    auto& m = asked.mapped();
    if (r.yes) {
      auto digest = m.returns ? m.digest : journal::digest_of(m.secret);
      const auto session = m.asking;
      return send(session, runtime::go_to_hub{*r.yes, std::move(digest), std::move(m)});
    }
    m.asked_hubs = true;
    return on_resume(m);
  }
  if (auto joins = joining_.extract(r.about)) {
    auto& m = joins.mapped();
    m.asked_hubs = true;
    const bool renames = keys_ && keys_->renames.contains(r.about);
    return r.yes && !renames ? move(std::move(m), *r.yes) : on_seek(m);
  }
  const auto at = seeks_.find(r.about);
  if (at == seeks_.end() || !at->second.meeting) return;
  const bool stays =
      r.yes && stays_for_another(setup_.hubs->self(), *r.yes,
                                 at->second.meeting->expects_until > owning_loop().now());
  const bool renames = keys_ && keys_->renames.contains(r.about);
  // If no player comes it asks again, and a seat that it was told before might be that of the
  // other.
  if (stays) return;
  if (r.yes && !renames && matches_.waits(r.about)) return move(r.about, *r.yes);
  send_reply(r.about);
}

void lobby::move(player_id player, relay::member_id to) {
  auto request = std::move(seeks_.at(player).meeting->request);
  if (!seeks_.at(player).meeting->reply) request.answers.ticket = 0;
  move(std::move(request), to);
}

void lobby::move(runtime::seek_request&& request, relay::member_id to) {
  const auto player = request.player;
  matches_.withdraw(player);
  remove_seek(player, offer_cause::elsewhere);
  count_waiting();
  moving_.insert(player);
  const auto session = request.session;
  runtime::go_to_hub m{to, {}, std::move(request)};
  if (const auto* who = names_.find(player)) {
    m.digest = who->digest;
    for (const auto& each : who->former) m.former_names.push_back(each.name);
  }
  send(session, std::move(m));
}

void lobby::on_moved(player_id player) {
  moving_.erase(player);
  names_.leave(player);
  if (keys_) {
    keys_->renames.erase(player);
    keys_->claims.give_away(player);
  }
  resume_again(player);
  players_.erase(player);
  change_keys();
}

void lobby::on_return(player_id player) {
  moving_.erase(player);
  if (keys_) keys_->claims.doubt(player);
  resume_again(player);
  change_keys();
}

// Who wanted to come back while the player was on its way.
void lobby::resume_again(player_id player) {
  const auto at = players_.find(player);
  if (at == players_.end()) return;
  auto late = std::exchange(at->second.resume_requests, {});
  for (auto& r : late) {
    resuming_as_.erase(r.player);
    caf::anon_send(self(), std::move(r));
  }
}

void lobby::send_reply(player_id player) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end() || !at->second.meeting) return;
  auto& mine = *at->second.meeting;
  auto reply = std::exchange(mine.reply, std::nullopt);
  if (!reply) return;
  // The client is promised this seat: in any hub it gets it, or does not go.
  if (reply->place.seat) mine.request.what.seat = reply->place.seat;
  const bool stays =
      (reply->place.seat && mine.request.what.again) || mine.request.what.reserve_game;
  send_placed(at->second.session, *std::move(reply));
  if (stays) at->second.meeting.reset();
}

void lobby::send_placed(const runtime::session_actor& to, runtime::seek_result&& reply) {
  // A seek that comes back from another hub may have been answered.
  if (reply.answers.ticket != 0) tell(to, std::move(reply));
}

void lobby::on_hubs_changed() {
  for (const auto& each : questions_.on_members(setup_.hubs->others())) on_question_ended(each);
  // A hub that was not asked has players, too.
  std::vector<player_id> all;
  for (const auto& [player, s] : seeks_)
    if (s.meeting && all.size() < asked_again_max) all.push_back(player);
  for (const auto each : all) ask_again(each);
}

void lobby::on_hub_timer() {
  hub_timer_ = {};
  const auto now = owning_loop().now();
  for (const auto& each : questions_.expire(now)) on_question_ended(each);
  std::vector<player_id> alone;
  const auto end = expected_.upper_bound(now);
  for (auto at = expected_.begin(); at != end; ++at) alone.push_back(at->second);
  expected_.erase(expected_.begin(), end);
  for (const auto each : alone) {
    ask_again(each);
    if (!questions_.is_open(each)) send_reply(each);
  }
  arm_hub_timer();
}

void lobby::count_questions() {
  if (setup_.hubs != nullptr) setup_.hubs->count_questions(questions_.open());
}

void lobby::arm_hub_timer() {
  count_questions();
  std::optional<base::instant> when;
  if (questions_.next()) when = owning_loop().now() + hub_timer_pause;
  if (!expected_.empty())
    when = std::min(when.value_or(base::instant::max()), expected_.begin()->first);
  if (!when || (hub_timer_ && hub_timer_at_ <= *when)) return;
  owning_loop().timers().cancel(std::exchange(hub_timer_, {}));
  hub_timer_at_ = *when;
  hub_timer_ = arm_timer(*when, hub_timer);
}

}  // namespace gamehub::actors::lobby
