#include "actors/lobby/matchmaker.hpp"

#include "hub/core/limits.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

bool excludes(const open_seek& a, const open_seek& b) {
  return !a.opponent.empty() && a.opponent != b.name;
}

}  // namespace

void matchmaker::set_players(std::uint16_t engine, int players_needed) {
  if (engine >= players_needed_.size()) {
    players_needed_.resize(engine + std::size_t{1}, players_needed);
    waiting_.resize(players_needed_.size(), 0);
  }
  players_needed_[engine] = players_needed;
}

std::variant<placement, refusal> matchmaker::place(const open_seek& what, base::instant now) {
  const auto [at, fresh] = seeks_.try_emplace(what.player, standing_seek{what, what.playing});
  if (!fresh) return refusal::already_in_game;
  if (!what.opponent.empty()) ++named_seeks_;
  if (what.only_by_name) by_name_[what.name] = what.player;
  placement found;
  join_queues(what.player, now, found.tables);
  erase_empty_parties(what.queues);
  if (!what.seat_at_once) return found;
  for (const auto& t : found.tables)
    for (std::size_t i = 0; i < t.players.size(); ++i)
      if (t.players[i] == what.player) found.seat = static_cast<seat_index>(i);
  if (!found.seat) found.seat = seeks_.at(what.player).reported_seat = seat_to_report(what.player);
  return found;
}

// Returns the first seat that no earlier player of the queues requires, because that seat is
// available first.
seat_index matchmaker::seat_to_report(player_id player) const {
  const auto& mine = seeks_.at(player);
  if (mine.what.seat) return *mine.what.seat;
  seat_set needed_by_others = 0;
  for (const auto& key : mine.what.queues)
    if (const auto at = queues_.find(key); at != queues_.end())
      for (const auto& w : at->second)
        if (const auto seat = seeks_.at(w.player).seat(); seat && w.player != player)
          needed_by_others |= only(*seat);
  seat_index seat = 0;
  while (holds(needed_by_others, seat)) ++seat;
  const auto in_all = [&](const queue_key& key) { return seat < needed(key); };
  const auto& queues = mine.what.queues;
  return std::all_of(queues.begin(), queues.end(), in_all) ? seat : 0;
}

void matchmaker::reserve(player_id player, game_id game) { seeks_.at(player).game = game; }

void matchmaker::game_ended(player_id player, base::instant now, std::vector<pairing>& tables) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end()) return;
  if (at->second.playing > 0) --at->second.playing;
  join_queues(player, now, tables);
}

void matchmaker::set_away(player_id player, bool away, base::instant now,
                          std::vector<pairing>& tables) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end()) return;
  at->second.away = away;
  if (away)
    leave_queues(player);
  else
    join_queues(player, now, tables);
}

bool matchmaker::withdraw(player_id player) {
  if (!seeks_.contains(player)) return false;
  leave_queues(player);
  const auto queues = seeks_.at(player).what.queues;
  erase_seek(player);
  erase_empty_parties(queues);
  return true;
}

void matchmaker::erase_seek(player_id player) {
  const auto at = seeks_.find(player);
  const auto& was = at->second.what;
  if (!was.opponent.empty()) --named_seeks_;
  if (was.only_by_name) by_name_.erase(was.name);
  seeks_.erase(at);
}

void matchmaker::erase_empty_parties(const std::vector<queue_key>& queues) {
  for (const auto& key : queues) {
    const auto at = key.party.empty() ? queues_.end() : queues_.find(key);
    if (at != queues_.end() && at->second.empty()) queues_.erase(at);
  }
}

void matchmaker::remove(player_id player) {
  withdraw(player);
  latest_opponent_.erase(player);
}

bool matchmaker::has_capacity(player_id player) const {
  const auto at = seeks_.find(player);
  return at != seeks_.end() && !at->second.away && at->second.playing < at->second.what.games_max;
}

bool matchmaker::in_rematch_pause(const queue_entry& a, const queue_entry& b,
                                  base::instant now) const {
  if (now >= std::max(a.since, b.since) + limits::rematch_pause) return false;
  // A player with a reported id must be paired with the next player who arrives.
  if (seeks_.at(a.player).game || seeks_.at(b.player).game) return false;
  const auto met = [this](player_id x, player_id y) {
    const auto at = latest_opponent_.find(x);
    return at != latest_opponent_.end() && at->second == y;
  };
  return met(a.player, b.player) && met(b.player, a.player);
}

bool matchmaker::conflicts(player_id player, const std::vector<player_id>& with) const {
  const auto& mine = seeks_.at(player);
  const auto seat = mine.seat();
  return std::any_of(with.begin(), with.end(), [&](player_id other) {
    const auto& theirs = seeks_.at(other);
    return (seat && theirs.seat() == seat) || (mine.game && theirs.game) ||
           excludes(mine.what, theirs.what) || excludes(theirs.what, mine.what);
  });
}

// Players with a required seat get it; the others take the free seats in queue order.
std::vector<player_id> matchmaker::by_seat(std::vector<player_id> party) const {
  std::vector<player_id> seats(party.size());
  for (auto& player : party)
    if (const auto seat = seeks_.at(player).seat())
      seats[static_cast<std::size_t>(*seat)] = std::exchange(player, {});
  auto left = party.begin();
  for (auto& seat : seats) {
    if (seat) continue;
    while (!*left) ++left;
    seat = *left++;
  }
  return seats;
}

void matchmaker::play_engine(player_id player, std::vector<pairing>& tables) {
  auto& mine = seeks_.at(player);
  const auto games_max = std::min(mine.what.games_max, limits::house_games_max);
  while (!mine.away && mine.playing < games_max) {
    const auto& key = mine.what.queues[mine.engine_games++ % mine.what.queues.size()];
    pairing plan{key, std::vector<player_id>(static_cast<std::size_t>(needed(key))), {}};
    plan.players[static_cast<std::size_t>(mine.what.seat.value_or(0))] = player;
    tables.push_back(std::move(plan));
    ++mine.playing;
    if (mine.what.again) continue;
    return erase_seek(player);
  }
}

void matchmaker::join_queues(player_id player, base::instant now, std::vector<pairing>& tables) {
  if (seeks_.at(player).what.against_engine) return play_engine(player, tables);
  // A copy, because joining one queue may erase the seek.
  const auto queues = seeks_.at(player).what.queues;
  for (const auto& key : queues)
    if (has_capacity(player)) join_queue(player, key, now, tables);
}

void matchmaker::join_queue(player_id player, const queue_key& key, base::instant now,
                            std::vector<pairing>& tables) {
  if (seeks_.at(player).what.only_by_name) return pair_with_challengers(player, key, now, tables);
  auto& q = queues_[key];
  const auto is_player = [player](const queue_entry& w) { return w.player == player; };
  if (std::any_of(q.begin(), q.end(), is_player)) return;
  const queue_entry self{player, now};
  pair_with_named(player, key, now, tables);
  while (has_capacity(player)) {
    auto party = party_for(q, key, self);
    if (party.size() < static_cast<std::size_t>(needed(key) - 1)) break;
    party.push_back(player);
    seat(key, std::move(party), player, now, tables);
  }
  if (!has_capacity(player)) return;
  if (!q.empty() && key.party.empty()) rematch_pauses_.emplace(now + limits::rematch_pause, key);
  q.push_back(self);
  ++waiting_[key.engine];
}

void matchmaker::pair_with_named(player_id player, const queue_key& key, base::instant now,
                                 std::vector<pairing>& tables) {
  while (has_capacity(player)) {
    const auto named = by_name_.find(seeks_.at(player).what.opponent);
    if (named == by_name_.end() || named->second == player || !has_capacity(named->second)) return;
    const auto& theirs = seeks_.at(named->second).what.queues;
    if (std::find(theirs.begin(), theirs.end(), key) == theirs.end()) return;
    seat(key, {player, named->second}, player, now, tables);
  }
}

void matchmaker::pair_with_challengers(player_id player, const queue_key& key, base::instant now,
                                       std::vector<pairing>& tables) {
  const auto asks = [&](const queue_entry& w) {
    return seeks_.at(w.player).what.opponent == seeks_.at(player).what.name;
  };
  while (named_seeks_ > 0 && has_capacity(player)) {
    const auto at = queues_.find(key);
    if (at == queues_.end()) return;
    const auto first = std::find_if(at->second.begin(), at->second.end(), asks);
    if (first == at->second.end()) return;
    seat(key, {first->player, player}, player, now, tables);
  }
}

std::variant<pairing, refusal> matchmaker::challenge(player_id player, const std::string& opponent,
                                                     bool only_ask, base::instant now) {
  const auto named = by_name_.find(opponent);
  const auto mine = seeks_.find(player);
  if (mine == seeks_.end() || !mine->second.what.only_by_name) return refusal::not_in_game;
  if (named == by_name_.end() || named->second == player) return refusal::opponent_away;
  const auto other = named->second;
  if (!has_capacity(player) || !has_capacity(other)) return refusal::already_in_game;
  const auto& theirs = seeks_.at(other).what.queues;
  const auto& queues = mine->second.what.queues;
  const auto key = std::find_if(queues.begin(), queues.end(), [&](const queue_key& each) {
    return needed(each) == 2 && std::find(theirs.begin(), theirs.end(), each) != theirs.end();
  });
  if (key == queues.end()) return refusal::unfit_engine;
  if (only_ask) return pairing{*key, {player, other}, {}};
  std::vector<pairing> tables;
  seat(queue_key{*key}, {player, other}, player, now, tables);
  return std::move(tables.front());
}

std::vector<player_id> matchmaker::party_for(const queue& q, const queue_key& key,
                                             const queue_entry& self) const {
  const auto others = static_cast<std::size_t>(needed(key) - 1);
  std::vector<player_id> party;
  const auto add = [&](const queue_entry& w) {
    if ((others > 1 || !key.party.empty() || !in_rematch_pause(w, self, self.since)) &&
        !conflicts(w.player, party) && !conflicts(w.player, {self.player}))
      party.push_back(w.player);
  };
  // Players who require this opponent have priority.
  if (named_seeks_ > 0)
    for (auto w = q.begin(); w != q.end() && party.size() < others; ++w)
      if (!seeks_.at(w->player).what.opponent.empty()) add(*w);
  const auto chosen = party.size();
  for (auto w = q.begin(); w != q.end() && party.size() < others; ++w)
    if (chosen == 0 || std::find(party.begin(), party.end(), w->player) == party.end()) add(*w);
  return party;
}

void matchmaker::leave_queues(player_id player) {
  for (const auto& key : seeks_.at(player).what.queues) {
    const auto at = queues_.find(key);
    if (at == queues_.end()) continue;
    waiting_[key.engine] -=
        std::erase_if(at->second, [player](const queue_entry& w) { return w.player == player; });
  }
}

void matchmaker::seat(const queue_key& key, std::vector<player_id> party, player_id entering,
                      base::instant now, std::vector<pairing>& tables) {
  if (party.size() == 2) {
    for (std::size_t i = 0; i < 2; ++i) {
      // Only standing seeks queue again automatically and need the pause.
      const auto& o = seeks_.at(party[i]).what;
      if (o.again && !o.seat_at_once) latest_opponent_[party[i]] = party[1 - i];
    }
  }
  game_id game;
  for (const auto player : party)
    if (const auto reported = std::exchange(seeks_.at(player).game, {})) game = reported;
  tables.push_back({key, by_seat(party), game});
  std::vector<player_id> back;
  for (const auto player : party) {
    auto& q = queues_[key];
    waiting_[key.engine] -=
        std::erase_if(q, [player](const queue_entry& w) { return w.player == player; });
    auto& theirs = seeks_.at(player);
    ++theirs.playing;
    theirs.reported_seat.reset();
    if (!theirs.what.again) {
      leave_queues(player);
      erase_seek(player);
    } else if (!has_capacity(player)) {
      leave_queues(player);
    } else if (player != entering && !theirs.what.only_by_name) {
      back.push_back(player);
    }
  }
  // Players with capacity left queue again, behind the others.
  for (const auto player : back) {
    auto& q = queues_[key];
    if (!q.empty()) rematch_pauses_.emplace(now + limits::rematch_pause, key);
    q.push_back({player, now});
    ++waiting_[key.engine];
  }
}

void matchmaker::advance(base::instant now, std::vector<pairing>& tables) {
  while (!rematch_pauses_.empty() && rematch_pauses_.begin()->first <= now) {
    const auto key = rematch_pauses_.begin()->second;
    rematch_pauses_.erase(rematch_pauses_.begin());
    auto& q = queues_[key];
    // Each player of the queue is tried again, in order, with the time it has waited.
    const auto line = q;
    for (const auto& w : line) {
      const auto at = std::find_if(q.begin(), q.end(),
                                   [&](const queue_entry& x) { return x.player == w.player; });
      if (at == q.end()) continue;
      const auto first = std::find_if(q.begin(), at, [&](const queue_entry& x) {
        return !in_rematch_pause(x, *at, now) && !conflicts(x.player, {w.player});
      });
      if (first != at && needed(key) == 2) seat(key, {first->player, w.player}, {}, now, tables);
    }
  }
}

std::optional<base::instant> matchmaker::next() const {
  if (rematch_pauses_.empty()) return std::nullopt;
  return rematch_pauses_.begin()->first;
}

}  // namespace gamehub::actors::lobby
