// Players who are asked for: opponents and hosts of games for two, and bots that take seats of
// tables for more.
#include "actors/lobby/matchmaker.hpp"
#include "hub/base/require.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

queue_key with_clock(queue_key key, const clock_rule& clock) {
  key.clock = clock;
  return key;
}

}  // namespace

bool matchmaker::is_ready(const std::string& name, std::uint16_t engine) const {
  const auto bot = by_name_.find(name);
  if (bot == by_name_.end()) return false;
  const auto& queues = seeks_.at(bot->second).what.queues;
  return std::any_of(queues.begin(), queues.end(),
                     [&](const queue_key& each) { return each.engine == engine; });
}

bool matchmaker::refuses_clock(const std::string& name, std::uint16_t engine,
                               const clock_rule& clock) const {
  if (name.empty() || !is_ready(name, engine)) return false;
  const auto& theirs = seeks_.at(by_name_.find(name)->second).what;
  return !theirs.any_clock &&
         std::none_of(theirs.queues.begin(), theirs.queues.end(), [&](const queue_key& each) {
           return each.engine == engine && each.clock == clock;
         });
}

bool matchmaker::plays(const open_seek& theirs, const queue_key& key) {
  return std::any_of(theirs.queues.begin(), theirs.queues.end(), [&](const queue_key& each) {
    return each == key || (theirs.any_clock && with_clock(each, key.clock) == key);
  });
}

const std::string* matchmaker::missing_bot(const queue_key& key) {
  for (const auto& each : key.fillers)
    if (each.who == seat_filler::kind::bot &&
        (!is_ready(each.name, key.engine) || find_free(by_name_.at(each.name)) == nullptr))
      return &each.name;
  return nullptr;
}

matchmaker::standing_seek* matchmaker::pair_with_named(standing_seek& s, const queue_key& key,
                                                       base::instant now,
                                                       std::vector<pairing>& tables) {
  const auto player = s.what.player;
  auto* mine = &s;
  while (seats_of(key) == 2 && can_open() && mine != nullptr) {
    const auto named = by_name_.find(mine->what.opponent);
    if (named == by_name_.end() || named->second == player || find_free(named->second) == nullptr ||
        !plays(seeks_.at(named->second).what, key))
      break;
    seat(key, find_queue(key), {player, named->second}, player, now, tables);
    mine = find_free(player);
  }
  return mine;
}

void matchmaker::pair_with_challengers(player_id player, const queue_key& key, base::instant now,
                                       std::vector<pairing>& tables) {
  if (named_seeks_ == 0 || seats_of(key) != 2) return;
  // A copy, because a game may use up the queue.
  std::vector<queue_key> keys;
  if (seeks_.at(player).what.any_clock)
    for (auto at = queues_.lower_bound(with_clock(key, {}));
         at != queues_.end() && keys.size() < clocks_tried_max &&
         with_clock(at->first, key.clock) == key;
         ++at)
      keys.push_back(at->first);
  else
    keys.push_back(key);
  for (const auto& each : keys) {
    while (named_seeks_ > 0 && can_open() && find_free(player) != nullptr) {
      auto* const q = find_queue(each);
      if (q == nullptr) break;
      const auto challenger = first(*q, {}, seeks_.at(player).what.name, 0, last_number, {});
      if (!challenger) break;
      seat(each, q, {challenger->player, player}, player, now, tables);
    }
    if (!seeks_.contains(player)) return;
  }
}

std::variant<placement, refusal> matchmaker::join(const open_seek& what, player_id host,
                                                  base::instant now) {
  GAMEHUB_REQUIRE(what.queues.size() == 1 && what.games_max == 1 && what.opponent.empty());
  const auto theirs = seeks_.find(host);
  if (theirs == seeks_.end()) return refusal::not_in_game;
  if (host == what.player) return refusal::already_in_game;
  const auto key = what.queues.front();
  const auto& offer = theirs->second.what;
  if (std::find(offer.queues.begin(), offer.queues.end(), key) == offer.queues.end())
    return refusal::not_in_game;
  if (seats_of(key) != 2) return refusal::unfit_engine;
  const auto seat_of_host = theirs->second.seat();
  if (!theirs->second.has_capacity() || (!offer.opponent.empty() && offer.opponent != what.name) ||
      (what.seat && what.seat == seat_of_host))
    return refusal::seat_taken;
  begin_call(now, true);
  // A host that waits for room is in no queue.
  auto* const q = find_queue(key);
  if (!can_open() || q == nullptr || theirs->second.place(*q) == nullptr) return refusal::hub_full;
  withdraw(what.player);
  seeks_.try_emplace(what.player, open_seek{what});
  placement found;
  seat(key, q, {host, what.player}, what.player, now, found.tables);
  end_call(now, found.tables);
  const auto& players = found.tables.front().players;
  found.seat = players.front() == what.player ? 0 : 1;
  return found;
}

std::variant<pairing, refusal> matchmaker::challenge(player_id player, const std::string& opponent,
                                                     bool only_ask, base::instant now) {
  const auto named = by_name_.find(opponent);
  const auto mine = seeks_.find(player);
  if (mine == seeks_.end() || !mine->second.what.only_by_name) return refusal::not_in_game;
  if (named == by_name_.end() || named->second == player) return refusal::opponent_away;
  const auto other = named->second;
  if (find_free(player) == nullptr || find_free(other) == nullptr) return refusal::already_in_game;
  const auto& theirs = seeks_.at(other).what.queues;
  const auto& queues = mine->second.what.queues;
  const auto key = std::find_if(queues.begin(), queues.end(), [&](const queue_key& each) {
    return seats_of(each) == 2 && std::find(theirs.begin(), theirs.end(), each) != theirs.end();
  });
  if (key == queues.end()) return refusal::unfit_engine;
  if (only_ask) return pairing{*key, {player, other}, {}};
  begin_call(now, true);
  std::vector<pairing> tables;
  // A copy, because the seek may be used up.
  seat(queue_key{*key}, find_queue(*key), {player, other}, player, now, tables);
  end_call(now, tables);
  return std::move(tables.front());
}

std::optional<matchmaker::found_opponent> matchmaker::find_opponent(const open_seek& what) {
  if (!can_open()) return std::nullopt;
  const standing_seek mine{open_seek{what}};  // requirements refer to its strings
  for (const auto& key : what.queues) {
    if (const auto named = by_name_.find(what.opponent);
        named != by_name_.end() && seats_of(key) == 2 && find_free(named->second) != nullptr &&
        plays(seeks_.at(named->second).what, key))
      return found_opponent{named->second};
    const auto* const q = find_queue(key);
    if (q == nullptr || needed(key) < 2) continue;
    requirements fit;
    fit.add(mine);
    // As party_for(): who asked for this name is served first.
    auto found = first(*q, fit, what.name, 0, last_number, {});
    if (!found || what.name.empty()) found = first(*q, fit, {}, 0, last_number, {});
    if (found && seats_of(key) > 2)
      return found_opponent{found->player, static_cast<std::uint32_t>(q->size), players_in(*q)};
    if (found) return found_opponent{found->player};
  }
  return std::nullopt;
}

const matchmaker::queue* matchmaker::largest_group(player_id player) const {
  const queue* most = nullptr;
  if (const auto at = seeks_.find(player); at != seeks_.end())
    for (const auto& p : at->second.places)
      if (seats_of(p.in->key) > 2 && (most == nullptr || p.in->size > most->size)) most = p.in;
  return most;
}

std::vector<player_id> matchmaker::players_in(const queue& q) {
  std::vector<player_id> out;
  for (const auto& [key, player] : q.index) {
    if (out.size() == group_max) break;
    if (key.name.empty()) out.push_back(player);
  }
  return out;
}

std::uint32_t matchmaker::gathered(player_id player) const {
  const auto* const most = largest_group(player);
  return most == nullptr ? 0 : static_cast<std::uint32_t>(most->size);
}

std::vector<player_id> matchmaker::group_of(player_id player) const {
  const auto* const most = largest_group(player);
  return most == nullptr ? std::vector<player_id>{} : players_in(*most);
}

bool matchmaker::waits(player_id player) const {
  const auto at = seeks_.find(player);
  return at != seeks_.end() && !at->second.places.empty();
}

void matchmaker::wait_for_bot(player_id player, const std::string& name, std::uint16_t engine) {
  auto& mine = seeks_.at(player);
  if (mine.waits_for_bot == 0) mine.waits_for_bot = ++numbers_;
  waiting_for_bot_.emplace(name, engine, mine.waits_for_bot, player);
  ++steps_;
}

void matchmaker::forget_bots(const standing_seek& s) {
  for (const auto& key : s.what.queues)
    for (const auto& each : key.fillers)
      if (each.who == seat_filler::kind::bot)
        waiting_for_bot_.erase({each.name, key.engine, s.waits_for_bot, s.what.player});
}

void matchmaker::complete_table(player_id player, const queue_key& key, base::instant now,
                                std::vector<pairing>& tables) {
  while (can_open()) {
    auto* const q = find_queue(key);
    auto* const mine = find_free(player);
    if (q == nullptr || mine == nullptr || mine->place(*q) == nullptr) return;
    auto party = party_for(*q, *mine, now);
    if (party.size() + 1 < static_cast<std::size_t>(needed(key))) return;
    if (const auto* name = missing_bot(key)) return wait_for_bot(player, *name, key.engine);
    party.push_back(player);
    seat(key, q, std::move(party), {}, now, tables);
  }
}

void matchmaker::serve_tables(player_id bot, base::instant now, std::vector<pairing>& tables) {
  const auto name = seeks_.at(bot).what.name;
  const auto engine = seeks_.at(bot).what.queues.front().engine;
  const auto is_mine = [&](const queue_key& key) {
    return key.engine == engine &&
           std::any_of(key.fillers.begin(), key.fillers.end(), [&](const seat_filler& each) {
             return each.who == seat_filler::kind::bot && each.name == name;
           });
  };
  while (can_open() && find_free(bot) != nullptr) {
    const auto next = waiting_for_bot_.lower_bound({name, engine, 0, {}});
    if (next == waiting_for_bot_.end() || std::get<0>(*next) != name ||
        std::get<1>(*next) != engine)
      return;
    const auto player = std::get<3>(*next);
    waiting_for_bot_.erase(next);
    ++steps_;
    // A copy, because a game may use up the seek.
    const auto queues = seeks_.at(player).what.queues;
    for (const auto& key : queues)
      if (is_mine(key)) complete_table(player, key, now, tables);
  }
}

}  // namespace gamehub::actors::lobby
