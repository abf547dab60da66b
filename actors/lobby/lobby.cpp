#include "actors/lobby.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "actors/house.hpp"
#include "actors/inside.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::actors {

namespace {

// Ends the sentence "it can't be played here: it …".
constexpr const char* seat_taken = "has that seat taken already";
constexpr const char* no_such_level = "plays itself as perfect, medium or random";

}  // namespace

lobby::lobby(caf::actor_config& config, lobby_setup& setup) : typed_loop_actor(config), setup_(setup) {
  meet_new_engines();
}

bool lobby::receive(caf::message& what) {
  return dispatch(what, std::tuple{
                            [this](enter& m) { enter_player(m); },
                            [this](resume_request& m) { resume_player(m); },
                            [this](seek_request& m) { seek_game(m); },
                            [this](meet_request& m) { meet(m); },
                            [this](withdraw_request& m) { withdraw(m); },
                            [this](const place_free& m) {
                              std::vector<pairing> tables;
                              if (!draining_) matches_.game_ended(m.player, home().now(), tables);
                              open_tables(tables);
                            },
                            [this](const presence& m) {
                              std::vector<pairing> tables;
                              matches_.set_away(m.player, m.away, home().now(), tables);
                              open_tables(tables);
                            },
                            [this](const gone& m) {
                              forget(m.player);
                              if (m.session) tell(m.session, forgotten{});
                            },
                            [this](const drain&) { on_drain(); },
                            [this](const end_games& m) { end_all(m); },
                            [this](end_one& m) { end(m); },
                            [this](const bans_changed&) { expel_banned(); },
                            [this](find_game& m) { find(m); },
                            [this](const list_games& m) { list(m); },
                            [this](restored_game& m) { keep(std::move(m.game), m.id, m.engine); },
                            [this](restored_player& m) {
                              names_.restore(m.player, m.name, std::move(m.secret_digest));
                              players_[m.player] = {std::move(m.session), {}};
                            },
                            [this](const timer_up&) {
                              clock_ = {};
                              std::vector<pairing> tables;
                              matches_.advance(home().now(), tables);
                              open_tables(tables);
                            },
                        });
}

void lobby::enter_player(const enter& m) {
  if (bans(m.name)) return tell(m.session, expel{});
  if (m.exact)
    if (const auto why = names_.why_not(m.name)) return tell(m.session, named{{}, why, m.answers});
  auto name = names_.enter(m.player, m.name, journal::digest_of(m.secret));
  players_[m.player] = {m.session, {}};
  tell(m.session, named{std::move(name), std::nullopt, m.answers});
}

void lobby::resume_player(resume_request& m) {
  const auto player = names_.find_digest(journal::digest_of(m.secret));
  const auto at = player ? players_.find(*player) : players_.end();
  if (at == players_.end() && m.brings_secret)
    return enter_player({m.asking, m.player, m.name, m.secret, m.what.answers, m.exact});
  if (at == players_.end())
    return tell(m.asking, not_resumed{std::move(m.name), m.exact, m.what.answers});
  // From before the hub was away, when its name was not banned.
  if (bans(names_.find(*player)->name)) {
    tell(at->second.session, expel{});
    return tell(m.asking, expel{});
  }
  // First of all, so that the session that asks knows it when its attachment has moved.
  tell(m.asking, resume_accepted{at->second.session});
  tell(at->second.session, m.what);
  resuming_as_[m.player] = *player;
  at->second.coming_back.push_back(std::move(m));
}

void lobby::expel_banned() {
  for (const auto& [player, who] : players_)
    if (const auto* entered = names_.find(player); entered != nullptr && bans(entered->name))
      tell(who.session, expel{});
}

void lobby::meet_new_engines() {
  const auto& directory = *setup_.directory;
  for (; engines_known_ < directory.engines.size(); ++engines_known_) {
    const auto kind = directory.engines[engines_known_].kind;
    matches_.know(kind, directory.engines[directory.newest(kind)].traits.players);
  }
}

bool lobby::against_house(const seek_request& m) const {
  return m.what.against_engine || setup_.directory->wires[m.wire].opponent.is_engine;
}

engines::level lobby::house_level(const seek_request& m) const {
  if (const auto asked = engines::level_of(m.what.level)) return *asked;
  return setup_.directory->wires[m.wire].opponent.skill;
}

std::optional<std::string> lobby::unsupported_reason(const seek_request& m, const engines::engine& rules,
                                        const engine_traits& traits) const {
  if (auto why = setup_.directory->wires[m.wire].why_not(traits)) return why;
  if (const auto seat = m.what.seat.value_or(0); seat < 0 || seat >= traits.players)
    return "has no seat " + std::to_string(seat) + ": they are numbered 0 to " +
           std::to_string(traits.players - 1);
  if (m.what.reserve_game && traits.players > 2)
    return "is played by " + std::to_string(traits.players) + ", and here two can meet";
  if (!m.what.opponent.empty() && traits.players != 2)
    return "is played by " + std::to_string(traits.players) + ", and one of them was asked for";
  if (!m.what.level.empty() && !engines::level_of(m.what.level)) return no_such_level;
  if (against_house(m)) return house::unsupported_reason(rules);
  return std::nullopt;
}

// What options make of an isolated engine is asked on the loop that may wait for it. The request
// goes there and comes back, and what overtakes it meanwhile counts.
bool lobby::ask_isolated(seek_request& m) {
  for (std::size_t i = 0; i < m.what.engines.size() && i < m.what.options.size(); ++i) {
    const auto number = setup_.directory->find_engine(m.what.engines[i]);
    if (!number || m.what.options[i].empty() || m.asked.contains(*number)) continue;
    const auto& engine = setup_.directory->engines[*number];
    const auto* host = engine.rules.host();
    if (host == nullptr || !host->up()) continue;
    auto& where = *(*setup_.engine_loops)[host->number()];
    asking_.insert(m.player);
    where.post([&engine, &where, number, i, m = std::move(m), lobby = self()]() mutable {
      const inside it{where.cells().loop, *number};
      m.asked.emplace(*number, traits_for_options(engine, m.what.options[i]));
      caf::anon_send(lobby, std::move(m));
    });
    return true;
  }
  return false;
}

std::variant<engine_traits, std::string> lobby::traits_for(const seek_request& m,
                                                           std::uint16_t number,
                                                           std::string_view options) const {
  if (const auto at = m.asked.find(number); at != m.asked.end()) return at->second;
  const inside it{home().cells().loop, number};
  return traits_for_options(setup_.directory->engines[number], options);
}

std::variant<std::vector<queue_key>, seek_answer> lobby::queues_for(const seek_request& m) const {
  std::vector<queue_key> queues;
  auto why = refusal::unknown_engine;
  std::string detail;
  for (std::size_t i = 0; i < m.what.engines.size(); ++i) {
    const auto number = setup_.directory->find_engine(m.what.engines[i]);
    if (!number) continue;
    const auto& engine = setup_.directory->engines[*number];
    if (const auto* host = engine.rules.host(); host != nullptr && !host->up()) {
      why = refusal::unfit_engine;
      detail = being_started_anew;
      continue;
    }
    auto with = traits_for(m, *number, i < m.what.options.size() ? m.what.options[i] : "");
    // Who asks for certain games gets no others instead.
    if (const auto* wrong = std::get_if<std::string>(&with))
      return seek_answer{{}, {}, refusal::bad_options, engine.traits.id + ": " + *wrong, m.answers};
    auto& traits = std::get<engine_traits>(with);
    if (auto reason = unsupported_reason(m, engine.rules, traits)) {
      why = refusal::unfit_engine;
      detail = *std::move(reason);
      continue;
    }
    queue_key key{engine.kind, std::move(traits.options)};
    if (std::find(queues.begin(), queues.end(), key) == queues.end() &&
        queues.size() < limits::seeks_per_player_max)
      queues.push_back(std::move(key));
  }
  if (!queues.empty()) return queues;
  return seek_answer{{}, {}, why, std::move(detail), m.answers};
}

void lobby::seek_game(seek_request& m) {
  if (!m.asked.empty()) {
    const auto at = asking_.find(m.player);
    // It waits no more, or is gone.
    if (at == asking_.end())
      return tell(m.session, seek_answer{{}, {}, refusal::not_in_game, {}, m.answers});
    asking_.erase(at);
  }
  if (draining_ || running_.size() >= setup_.games_max || setup_.log->trouble())
    return tell(
        m.session,
        seek_answer{{}, {}, draining_ ? refusal::draining : refusal::hub_full, {}, m.answers});
  meet_new_engines();
  const auto& by_wire = setup_.directory->wires[m.wire].opponent.name;
  if (!by_wire.empty() && m.what.opponent.empty() && !m.what.only_by_name &&
      !m.what.against_engine && !m.what.closed && m.what.invitation.empty() && !m.rematch_of) {
    m.what.opponent = by_wire;
    // Who waits anew by itself may as well wait for who is not there yet.
    m.what.opponent_ready = !m.what.again;
  }
  if (m.what.opponent_ready && !matches_.is_ready(m.what.opponent))
    return tell(m.session, seek_answer{{}, {}, refusal::opponent_away, {}, m.answers});
  queue_key party;
  if (auto no = find_party(m, party)) return tell(m.session, *std::move(no));
  if (ask_isolated(m)) return;
  auto queues = queues_for(m);
  if (auto* no = std::get_if<seek_answer>(&queues)) return tell(m.session, std::move(*no));
  auto& keys = std::get<std::vector<queue_key>>(queues);
  std::string invitation;
  if (m.what.closed && party.party.empty()) {
    invitation = (*setup_.games)[static_cast<std::size_t>(home().index())].luck->secret();
    party = {0, {}, party_of_invitation(invitation), true};
  }
  if (!party.party.empty()) {
    keys.resize(1);
    keys.front().party = party.party;
    keys.front().closed = party.closed;
  }
  place_seeker(m, std::move(keys), invitation);
}

void lobby::place_seeker(seek_request& m, std::vector<queue_key> keys,
                         const std::string& invitation) {
  const auto awaited = keys.front();
  const auto& first = setup_.directory->engines[setup_.directory->newest(awaited.engine)].traits;
  // A client that signs in and seeks in one breath has its name here before its session knows it.
  std::string digest;
  if (const auto* entered = names_.find(m.player)) {
    m.name = entered->name;
    digest = entered->digest;
  }
  seekers_[m.player] = {m.session,         m.name,        std::move(digest), m.wire, m.home,
                        home().wall_now(), house_level(m)};
  auto placed_at = matches_.place(
      {m.player, std::move(keys), m.what.games_max, m.what.again, m.what.seat_at_once, m.playing,
       m.what.seat, against_house(m), m.name, m.what.opponent, m.what.only_by_name},
      home().now());
  if (const auto* why = std::get_if<refusal>(&placed_at))
    return tell(m.session, seek_answer{{}, {}, *why, {}, m.answers});
  auto& found = std::get<placement>(placed_at);
  if (!m.what.invitation.empty() && found.tables.empty()) {
    matches_.withdraw(m.player);
    remove_seek(m.player);
    return tell(m.session, seek_answer{{}, {}, refusal::unfit_engine, seat_taken, m.answers});
  }
  const auto game = settle_games(m, awaited, invitation, found);
  // The answer goes first, so that it comes before the game.
  placed answer{first.id, first.marks, found.seat, invitation};
  answer.begins = std::any_of(found.tables.begin(), found.tables.end(), [&](const auto& t) {
    return std::find(t.players.begin(), t.players.end(), m.player) != t.players.end();
  });
  if (m.what.reserve_game) show_board(m, awaited, answer);
  tell(m.session, seek_answer{std::move(answer), game, std::nullopt, {}, m.answers});
  open_tables(found.tables);
}

void lobby::show_board(const seek_request& m, const queue_key& awaited, placed& in) const {
  const auto number = setup_.directory->newest(awaited.engine);
  auto board = setup_.directory->engines[number].traits;
  if (!awaited.options.empty()) {
    auto with = traits_for(m, number, awaited.options);
    if (auto* traits = std::get_if<engine_traits>(&with)) board = std::move(*traits);
  }
  in.rows = static_cast<std::uint16_t>(board.rows);
  in.columns = static_cast<std::uint16_t>(board.columns);
}

void lobby::withdraw(withdraw_request& m) {
  asking_.erase(m.player);
  matches_.withdraw(m.player);
  remove_seek(m.player);
  count_waiting();
  tell(m.session, event{m.answers, {}, gamehub::done{}});
}

void lobby::forget(player_id player) {
  asking_.erase(player);
  matches_.forget(player);
  names_.leave(player);
  if (const auto as = resuming_as_.find(player); as != resuming_as_.end()) {
    // It has come, or gave up.
    if (const auto at = players_.find(as->second); at != players_.end())
      std::erase_if(at->second.coming_back,
                    [player](const resume_request& r) { return r.player == player; });
    resuming_as_.erase(as);
  }
  if (const auto at = players_.find(player); at != players_.end()) {
    // Those on their way to this player came too late. Who arrived has gone on long ago.
    for (auto& late : at->second.coming_back) {
      resuming_as_.erase(late.player);
      tell(late.asking, not_resumed{std::move(late.name), late.exact, late.what.answers});
    }
    players_.erase(at);
  }
  remove_seek(player);
  turn_away_rematches_of(player);
  count_waiting();
}

void lobby::on_down(const caf::down_msg& m) { running_.gone(m.source.id()); }

void lobby::on_drain() {
  draining_ = true;
  // Nobody will be seated any more; the sessions tell their clients.
  for (const auto& [player, s] : seekers_) matches_.forget(player);
  seekers_.clear();
  waiting_.clear();
  count_waiting();
  if (setup_.log->durable())
    running_.for_each([this](game_id, const auto& r) { tell(r.game, park{}); });
}

void lobby::end_all(const end_games& m) {
  running_.for_each([&](game_id, const auto& r) {
    if (m.host == nullptr || m.host == setup_.directory->engines[r.engine].rules.host())
      tell(r.game, end_request{m.why, {}});
  });
}

void lobby::end(end_one& m) {
  const auto* at = running_.find(m.game);
  if (at != nullptr) tell(at->game, end_request{end_reason::operator_, std::move(m.note)});
  m.found(at != nullptr);
}

void lobby::watch_clock() {
  if (clock_) return;
  if (const auto when = matches_.next())
    clock_ = home().timers().arm(*when, [this] { tell(self(), timer_up{}); });
}

void lobby::count_waiting() {
  for (std::size_t i = 0; i < engines_known_; ++i) {
    const auto kind = setup_.directory->engines[i].kind;
    home().cells().engines[kind].players_waiting.set(
        static_cast<std::int64_t>(matches_.waiting(kind)));
  }
}

void lobby::on_exit() {
  home().timers().cancel(std::exchange(clock_, {}));
  players_.clear();
  seekers_.clear();
  waiting_.clear();
  running_.clear();
}

}  // namespace gamehub::actors
