// How the lobby opens tables, once it is decided who sits there.
#include <algorithm>
#include <utility>

#include "actors/house.hpp"
#include "actors/inside.hpp"
#include "actors/lobby.hpp"

namespace gamehub::actors {

namespace {

bool is_with_house(const table_plan& plan) {
  return std::find(plan.players.begin(), plan.players.end(), player_id{}) != plan.players.end();
}

// Ids that were told are durable some time before they are used: a block of them at once.
constexpr std::uint64_t ids_claimed_at_once = 1'024;

}  // namespace

game_id lobby::settle_games(const seek_request& m, const queue_key& awaited,
                            const std::string& invitation, placement& found) {
  game_id mine;
  for (auto& t : found.tables) {
    if (!t.game) t.game = setup_.game_ids->next();
    const auto sits = std::find(t.players.begin(), t.players.end(), m.player) != t.players.end();
    if (sits && !mine) mine = t.game;
  }
  if (!m.what.reserve_game && invitation.empty()) return {};
  return mine ? mine : reserve(m, awaited, invitation, found.seat.value_or(0));
}

game_id lobby::claim_game() {
  const auto id = setup_.game_ids->next();
  if (id.value + ids_claimed_at_once / 2 > claimed_.value) {
    claimed_ = {id.value + ids_claimed_at_once};
    setup_.log->claim_games(claimed_);
  }
  return id;
}

game_id lobby::reserve(const seek_request& m, const queue_key& what, const std::string& invitation,
                       seat_index seat) {
  const auto id = claim_game();
  const auto& offered = setup_.offered->engines[setup_.offered->newest(what.engine)];
  auto card = std::make_shared<game_card>();
  card->id = id;
  card->engine = offered.traits.id;
  card->engine_version = offered.rules.version_text();
  card->options = what.options;
  card->marks = offered.traits.marks;
  card->players.resize(static_cast<std::size_t>(offered.traits.players));
  card->players.at(static_cast<std::size_t>(seat)) = m.name;
  card->closed = what.closed;
  card->opened = home().wall_now();
  waiting_.add({m.player,
                what.engine,
                std::move(card),
                invitation.empty() ? "" : party_of_invitation(invitation),
                m.awaits,
                {}});
  matches_.reserve(m.player, id);
  return id;
}

void lobby::meet(meet_request& m) {
  std::vector<table_plan> tables;
  auto found = meet_in(m, tables);
  if (auto* why = std::get_if<refusal>(&found))
    return tell(m.session, event{m.answers, m.game, refused{*why, {}, {}}});
  // The answer goes first, so that it comes before the game.
  tell(m.session, event{m.answers, m.game, std::move(std::get<placed>(found))});
  open_tables(tables);
}

std::variant<placed, refusal> lobby::meet_in(meet_request& m, std::vector<table_plan>& tables) {
  if (draining_) return refusal::draining;
  if (running_.size() >= setup_.games_max || setup_.log->trouble()) return refusal::hub_full;
  auto found = matches_.meet(m.player, m.opponent, !m.game, home().now());
  if (const auto* why = std::get_if<refusal>(&found)) return *why;
  auto& plan = std::get<table_plan>(found);
  const auto& traits = setup_.offered->engines[setup_.offered->newest(plan.queue.engine)].traits;
  placed out{traits.id, traits.marks, seat_index{0}};
  out.begins = static_cast<bool>(m.game);
  if (!m.game) {
    m.game = claim_game();
    return out;
  }
  plan.game = m.game;
  tables.push_back(std::move(plan));
  return out;
}

void lobby::drop_seeker(player_id player) {
  seekers_.erase(player);
  waiting_.forget(player);
}

void lobby::open_tables(std::vector<table_plan>& tables) {
  for (auto& t : tables) {
    if (all_seek(t))
      open_table(t);
    else
      turn_away(t, refusal::unfit_engine, {});
  }
  count_waiting();
  watch_clock();
}

// Nobody was turned away from a table that was to be opened before this one.
bool lobby::all_seek(const table_plan& plan) const {
  return std::all_of(plan.players.begin(), plan.players.end(),
                     [this](player_id p) { return !p || seekers_.contains(p); });
}

void lobby::open_table(table_plan& plan) {
  const auto engine = setup_.offered->newest(plan.queue.engine);
  // The house has time for everyone, so that nothing else bounds its games.
  if (running_.size() >= setup_.games_max && is_with_house(plan))
    return turn_away(plan, refusal::hub_full, {});
  const auto& offered = setup_.offered->engines[engine];
  const auto& rules = offered.rules;
  // A version that came since this was asked for may be played by more, or not by the house.
  if (plan.players.size() != static_cast<std::size_t>(offered.traits.players) ||
      (is_with_house(plan) && house::unable_to_play(rules)))
    return turn_away(plan, refusal::unfit_engine, "has a new version");
  // It was up when they came.
  if (rules.host() != nullptr && !rules.host()->up())
    return turn_away(plan, refusal::unfit_engine, being_started_anew);
  auto created = begin_match(rules, engine, plan.queue.options);
  auto* match = std::get_if<engines::match>(&created);
  if (match == nullptr) {
    // It took these options when they were asked for.
    home().cells().loop.games_failed.add();
    return turn_away(plan, refusal::unfit_engine, std::get<std::string>(created));
  }
  std::vector<game_player> players;
  loop* where = nullptr;
  const auto skill = house_skill(plan);
  for (const auto player : plan.players) {
    if (!player) {
      players.push_back(
          {session_actor{},
           {player, house::name_of(skill), view_form::cells, true, skill, home().wall_now()},
           {{}, house::wire_of(skill)}});
      continue;
    }
    const auto& s = seekers_.at(player);
    // Where the first player lives who waited for it: it opened the game.
    if (where == nullptr) where = s.home;
    const auto& by = setup_.offered->wires[s.wire];
    players.push_back({s.session,
                       {player, s.name, by.form, !s.digest.empty(), {}, s.asked},
                       {s.digest, by.name}});
    // Only a standing offer needs its seeker again.
    if (!matches_.stands(player)) seekers_.erase(player);
  }
  const auto id = plan.game ? plan.game : setup_.game_ids->next();
  auto& at = home_of(rules, *where);
  auto table =
      spawn_on<game>(at, (*setup_.games)[static_cast<std::size_t>(at.index())], id, engine,
                     std::move(plan.queue.options), std::move(*match), players, plan.queue.closed);
  for (std::size_t i = 0; i < players.size(); ++i)
    if (players[i].session)
      tell(players[i].session, seated{table, id, engine, static_cast<seat_index>(i)});
  tell(table, begin_game{});
  for (auto& by : waiting_.begin(id)) tell(table, watch_request{std::move(by)});
  keep(std::move(table), id, engine);
}

// As the first player asked for it.
engines::level lobby::house_skill(const table_plan& plan) const {
  const auto first = std::find_if(plan.players.begin(), plan.players.end(),
                                  [](player_id p) { return static_cast<bool>(p); });
  return seekers_.at(*first).house;
}

std::variant<engines::match, std::string> lobby::begin_match(const engines::engine& rules,
                                                             std::uint16_t number,
                                                             const std::string& options) {
  const inside it{home().cells().loop, number};
  return rules.prepare(options);
}

// The games of an engine in a process of its own wait for it where nobody else does.
loop& lobby::home_of(const engines::engine& rules, loop& opener) const {
  return rules.host() == nullptr ? opener : *(*setup_.engine_loops)[rules.host()->number()];
}

void lobby::keep(game_actor table, game_id id, std::uint16_t engine) {
  this->monitor(table);
  running_.add(id, std::move(table), engine);
}

void lobby::turn_away(const table_plan& plan, refusal why, const std::string& detail) {
  for (const auto player : plan.players) {
    const auto at = seekers_.find(player);
    if (at == seekers_.end()) continue;
    tell(at->second.session, seek_answer{{}, plan.game, why, detail, {}});
    matches_.withdraw(player);
    drop_seeker(player);
  }
}

}  // namespace gamehub::actors
