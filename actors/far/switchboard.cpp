#include "actors/far/switchboard.hpp"

#include "actors/far/far_game.hpp"
#include "actors/far/far_session.hpp"
#include "actors/runtime/actor_system.hpp"

#include <utility>

namespace gamehub::actors::far {

namespace messages = gamehub::far;

void init_messages() { caf::init_global_meta_objects<caf::id_block::gamehub_far>(); }

switchboard::switchboard(switchboard_options o) : options_(std::move(o)) {}

void switchboard::expect(player_id who, runtime::session_actor session, runtime::loop& home) {
  const std::lock_guard lock{mutex_};
  expected_[who] = {std::move(session), &home};
}

void switchboard::forget(player_id who) {
  const std::lock_guard lock{mutex_};
  expected_.erase(who);
}

runtime::session_actor switchboard::make_far_session(runtime::loop& home, player_id who,
                                                     member_id front, view_form form,
                                                     client_features features) {
  return runtime::spawn_on<far_session>(home, *this, who, front, form, features);
}

void switchboard::open(game_id id, open_game game) {
  const std::lock_guard lock{mutex_};
  open_[id] = std::move(game);
}

void switchboard::close(game_id id) {
  const std::lock_guard lock{mutex_};
  open_.erase(id);
}

std::optional<messages::fault> switchboard::on_message(member_id from, std::string_view bytes,
                                                       base::instant now) {
  auto found = messages::decode(bytes, now);
  {
    const std::lock_guard lock{mutex_};
    ++numbers_.received;
    if (found && std::holds_alternative<messages::fault>(*found)) ++numbers_.wrong;
  }
  if (!found) return std::nullopt;
  if (const auto* wrong = std::get_if<messages::fault>(&*found)) return *wrong;
  auto& m = std::get<messages::message>(*found);
  if (const auto* s = std::get_if<messages::seated>(&m))
    on_seated(from, *s);
  else if (messages::is_for_game(m))
    to_session(from, std::move(m), now);
  else
    to_game(from, std::move(m));
  return std::nullopt;
}

void switchboard::to_game(member_id from, messages::message m) {
  far_game_actor to;
  {
    const std::lock_guard lock{mutex_};
    const auto at = games_.find(messages::place_of(m));
    if (at != games_.end() && at->second.host == from) to = at->second.game;
  }
  if (!to) return stray();
  caf::anon_send(to, arrived{from, std::move(m)});
}

void switchboard::to_session(member_id from, messages::message m, base::instant now) {
  if (const auto* t = std::get_if<messages::take>(&m)) return on_take(from, *t, now);
  far_session_actor to;
  {
    const std::lock_guard lock{mutex_};
    const auto at = sessions_.find(messages::place_of(m));
    if (at != sessions_.end() && at->second.front == from) to = at->second.session;
  }
  if (!to) return stray();
  caf::anon_send(to, arrived{from, std::move(m)});
}

// A player who is not here any more, or an engine that is not: the proxy gives the seat back.
void switchboard::on_seated(member_id from, const messages::seated& m) {
  const auto engine = options_.directory->find_engine(m.engine, m.version);
  const std::lock_guard lock{mutex_};
  if (games_.contains(m.at) || gone_.contains(from)) {
    ++numbers_.stray;
    return;
  }
  const auto who = expected_.find(m.player);
  const bool is_here = engine && who != expected_.end();
  const expected to = is_here ? who->second : expected{{}, options_.home};
  auto game = runtime::spawn_on<far_game>(*to.home, *this, to.session, m, from);
  games_[m.at] = {game, from};
  if (is_here)
    caf::anon_send(to.session, runtime::seated{game, m.at.game, *engine, m.at.seat, m.restored});
  else
    caf::anon_send(game, runtime::leave_request{m.at.seat, {}, leave_cause::disconnected});
}

void switchboard::on_take(member_id from, const messages::take& m, base::instant now) {
  far_session_actor made;
  {
    const std::lock_guard lock{mutex_};
    const auto at = open_.find(m.at.game);
    const auto seat = static_cast<std::size_t>(m.at.seat);
    if (at != open_.end() && seat < at->second.seats.size() &&
        at->second.seats[seat].player == m.player) {
      auto& session = at->second.seats[seat].session;
      made = runtime::spawn_on<far_session>(*at->second.home, *this, m.at, at->second, from);
      session = nullptr;
      auto& entry = sessions_[m.at];
      if (entry.session) caf::anon_send(entry.session, replaced{});
      entry = {made, from};
    }
  }
  if (!made) {
    // If the link does not take it, the front asks again after a while.
    send(from, messages::taken{m.at, m.attempt, false, 0, {}}, now);
    return;
  }
  caf::anon_send(made, arrived{from, m});
}

void switchboard::on_gone(member_id who) {
  const std::lock_guard lock{mutex_};
  gone_.insert(who);
  for (const auto& [at, each] : games_)
    if (each.host == who) caf::anon_send(each.game, host_lost{who});
  for (const auto& [at, each] : sessions_)
    if (each.front == who) caf::anon_send(each.session, front_lost{});
}

void switchboard::on_adopted(member_id gone, member_id by) {
  const std::lock_guard lock{mutex_};
  for (const auto& [at, each] : games_)
    if (each.host == gone) caf::anon_send(each.game, host_is{by});
}

void switchboard::on_moved(game_id id, member_id to) {
  const std::lock_guard lock{mutex_};
  for (const auto& [at, each] : sessions_)
    if (at.game == id) caf::anon_send(each.session, game_moved{to});
}

switchboard::numbers switchboard::count() const {
  const std::lock_guard lock{mutex_};
  auto out = numbers_;
  out.far_games = games_.size();
  out.far_sessions = sessions_.size();
  return out;
}

switchboard::sending switchboard::send(member_id to, const messages::message& m,
                                       base::instant now) {
  auto bytes = messages::encode(m, now);
  bool sent = bytes.has_value();
  // This hub may have adopted the games that its own sessions play.
  if (sent && to == options_.self)
    on_message(to, *bytes, now);
  else if (sent)
    sent = options_.send(to, std::move(*bytes));
  const std::lock_guard lock{mutex_};
  ++(!bytes ? numbers_.too_large : sent ? numbers_.sent : numbers_.unsent);
  return !bytes ? sending::too_large : sent ? sending::done : sending::later;
}

void switchboard::ask_turn(member_id host, place who, bool urgent) {
  const std::lock_guard lock{mutex_};
  give_turns(turns_.ask(host, who, urgent));
}

void switchboard::turn_done(place who) {
  const std::lock_guard lock{mutex_};
  give_turns(turns_.done(who));
}

void switchboard::give_turns(const std::vector<place>& to) {
  for (const auto& each : to)
    if (const auto at = games_.find(each); at != games_.end())
      caf::anon_send(at->second.game, take_turn{});
}

void switchboard::set_host(place at, member_id host) {
  const std::lock_guard lock{mutex_};
  if (const auto found = games_.find(at); found != games_.end()) found->second.host = host;
}

void switchboard::add(place at, far_session_actor session, member_id front) {
  const std::lock_guard lock{mutex_};
  if (gone_.contains(front)) caf::anon_send(session, front_lost{});
  if (auto& here = sessions_[at].session; here) caf::anon_send(here, replaced{});
  sessions_[at] = {std::move(session), front};
}

void switchboard::remove_game(place at, const far_game_actor& game) {
  const std::lock_guard lock{mutex_};
  const auto found = games_.find(at);
  if (found == games_.end() || found->second.game != game) return;
  games_.erase(found);
  give_turns(turns_.done(at));
}

void switchboard::remove_session(place at, const far_session_actor& session) {
  const std::lock_guard lock{mutex_};
  const auto found = sessions_.find(at);
  if (found != sessions_.end() && found->second.session == session) sessions_.erase(found);
}

void switchboard::stray() {
  const std::lock_guard lock{mutex_};
  ++numbers_.stray;
}

}  // namespace gamehub::actors::far
