#include "actors/lobby/matchmaker.hpp"

#include "hub/base/require.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

// The retry time of a place whose seat, reported id or latest opponent has changed: any visit.
constexpr auto at_any_visit = base::instant::min();

// The queues that are not erased when they are empty: one per engine.
bool is_permanent(const queue_key& key) {
  return key.options.empty() && key.party.empty() && key.fillers.empty();
}

}  // namespace

matchmaker::place_in* matchmaker::standing_seek::place(const queue& q) {
  const auto at =
      std::find_if(places.begin(), places.end(), [&](const place_in& p) { return p.in == &q; });
  return at == places.end() ? nullptr : &*at;
}

void matchmaker::requirements::add(const standing_seek& s) {
  if (const auto seat = s.seat()) taken |= only(*seat);
  if (s.game) reserved = true;
  if (!s.what.opponent.empty()) {
    contradictory = contradictory || (!name.empty() && name != s.what.opponent);
    name = s.what.opponent;
  }
  of_all = empty || of_all == s.what.name ? std::string_view{s.what.name} : std::string_view{};
  empty = false;
}

void matchmaker::set_players(std::uint16_t engine, int players_needed) {
  if (engine >= players_needed_.size()) {
    players_needed_.resize(engine + std::size_t{1}, players_needed);
    waiting_.resize(players_needed_.size(), 0);
  }
  if (std::exchange(players_needed_[engine], players_needed) == players_needed) return;
  // Players who could not meet at tables of another size may meet now.
  for (auto& [player, s] : seeks_)
    for (auto& p : s.places)
      if (p.in->key.engine == engine) set_retry(s, p, at_any_visit);
}

std::variant<placement, refusal> matchmaker::place(open_seek seek, base::instant now) {
  const auto player = seek.player;
  const auto playing = seek.playing;
  const auto [at, fresh] = seeks_.try_emplace(player, std::move(seek));
  if (!fresh) return refusal::already_in_game;
  const auto& what = at->second.what;
  at->second.game = what.table;
  begin_call(now, playing == 0);
  standing_.add(what);
  if (!what.opponent.empty()) ++named_seeks_;
  if (what.only_by_name) by_name_[what.name] = player;
  const auto seat_at_once = what.seat_at_once;
  placement found;
  // May erase the seek.
  join_queues(player, now, found.tables);
  end_call(now, found.tables);
  if (!seat_at_once) return found;
  for (const auto& t : found.tables)
    for (std::size_t i = 0; i < t.players.size(); ++i)
      if (t.players[i] == player) found.seat = static_cast<seat_index>(i);
  if (found.seat) return found;
  auto& mine = seeks_.at(player);
  if (!mine.reported_seat) update(mine, [&] { mine.reported_seat = seat_to_report(mine); });
  found.seat = mine.reported_seat;
  return found;
}

std::variant<placement, refusal> matchmaker::seek_rematch(const open_seek& what,
                                                          base::instant now) {
  const auto at = seeks_.find(what.player);
  if (at == seeks_.end()) return refusal::not_in_game;
  auto& s = at->second;
  // The others' games begin by a request of another player, or at once.
  if (!s.what.again || s.what.only_by_name || s.what.against_engine || what.against_engine ||
      needed(what.queues.front()) == 1)
    return refusal::unfit_engine;
  if (s.usual || s.playing >= s.what.games_max) return refusal::already_in_game;
  begin_call(now, s.playing == 0);
  leave_queues(s);
  s.usual = std::make_unique<usual_place>(usual_place{what.queues, what.seat, what.opponent});
  swap_places(s);
  placement found;
  join_queues(what.player, now, found.tables);
  end_call(now, found.tables);
  return found;
}

bool matchmaker::end_rematch(player_id player, base::instant now, std::vector<pairing>& tables) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end() || !at->second.usual) return false;
  begin_call(now, at->second.playing == 0);
  return_to_queues(player, now, tables);
  end_call(now, tables);
  return true;
}

// Requires: the seek is in no queue, because the queues refer to its strings.
void matchmaker::swap_places(standing_seek& s) {
  GAMEHUB_REQUIRE(s.places.empty());
  standing_.remove(s.what);
  if (!s.what.opponent.empty()) --named_seeks_;
  std::swap(s.what.queues, s.usual->queues);
  std::swap(s.what.seat, s.usual->seat);
  std::swap(s.what.opponent, s.usual->opponent);
  if (!s.what.opponent.empty()) ++named_seeks_;
  standing_.add(s.what);
}

void matchmaker::return_to_queues(player_id player, base::instant now,
                                  std::vector<pairing>& tables) {
  auto& s = seeks_.at(player);
  leave_queues(s);
  swap_places(s);
  s.usual.reset();
  join_queues(player, now, tables);
}

// Those who asked for a player of this name can meet it now.
void matchmaker::rename(player_id player, const std::string& name, base::instant now) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end()) return;
  auto& s = at->second;
  if (s.what.only_by_name) {
    by_name_.erase(s.what.name);
    by_name_[name] = player;
  }
  update(s, [&] { s.what.name = name; });
  for (const auto& key : s.what.queues) {
    auto* const q = find_queue(key);
    auto* const mine = q == nullptr ? nullptr : s.place(*q);
    if (mine == nullptr) continue;
    set_retry(s, *mine, at_any_visit);
    if (key.party.empty()) add_visit(*q, now + limits::rematch_pause);
  }
}

// Returns the first seat that no earlier player of the queues requires, because that seat is
// available first. Requires: the player has no reported seat yet.
seat_index matchmaker::seat_to_report(const standing_seek& s) {
  GAMEHUB_REQUIRE(!s.reported_seat);
  const auto& mine = s.what;
  if (mine.seat) return *mine.seat;
  seat_set needed_by_others = 0;
  for (const auto& key : mine.queues)
    if (const auto* const q = find_queue(key))
      for (const auto& [seat, players] : q->seats)
        if (players > 0) needed_by_others |= only(seat);
  for (const auto& key : mine.queues)
    for (seat_index seat = 0; seat < static_cast<seat_index>(key.fillers.size()); ++seat)
      if (!is_for_anyone(key.fillers, seat)) needed_by_others |= only(seat);
  seat_index seat = 0;
  while (holds(needed_by_others, seat)) ++seat;
  const auto in_all = [&](const queue_key& key) { return seat < seats_of(key); };
  return std::all_of(mine.queues.begin(), mine.queues.end(), in_all) ? seat : 0;
}

void matchmaker::reserve(player_id player, game_id game) {
  auto& mine = seeks_.at(player);
  // A player with a reported id must be paired with the next player who arrives, so it has no
  // rematch pause any more.
  for (auto& p : mine.places)
    if (paused_opponent(player, *p.in, p.since, at_any_visit)) set_retry(mine, p, at_any_visit);
  update(mine, [&] { mine.game = game; });
}

void matchmaker::game_ended(player_id player, base::instant now, std::vector<pairing>& tables) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end()) return;
  if (at->second.playing > 0) --at->second.playing;
  begin_call(now, at->second.playing == 0);
  join_queues(player, now, tables);
  end_call(now, tables);
}

void matchmaker::set_away(player_id player, bool away, base::instant now,
                          std::vector<pairing>& tables) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end()) return;
  begin_call(now, at->second.playing == 0);
  at->second.away = away;
  if (away)
    leave_queues(at->second);
  else
    join_queues(player, now, tables);
  end_call(now, tables);
}

bool matchmaker::withdraw(player_id player) {
  const auto at = seeks_.find(player);
  if (at == seeks_.end()) return false;
  erase_seek(at);
  erase_empty_queues();
  return true;
}

void matchmaker::remove(player_id player) {
  withdraw(player);
  latest_opponent_.erase(player);
}

matchmaker::standing_seek* matchmaker::find_free(player_id player) {
  const auto at = seeks_.find(player);
  return at != seeks_.end() && at->second.has_capacity() ? &at->second : nullptr;
}

bool matchmaker::may_play_more(player_id player) const {
  const auto at = seeks_.find(player);
  return at != seeks_.end() && at->second.what.again &&
         at->second.playing < at->second.what.games_max;
}

void matchmaker::begin_call(base::instant now, bool without_game) {
  if (without_game) tables_left_ = std::max<std::size_t>(tables_left_, 1);
  const bool late = !due_.empty() && due_.begin()->first.at <= now;
  if (room_ > 0 && !late) visited_ = std::max(visited_, visit{now, last_number});
}

void matchmaker::end_call(base::instant now, std::vector<pairing>& tables) {
  // Returning one may begin the rematch of another one.
  for (std::size_t i = 0; i < begun_rematches_.size(); ++i)
    return_to_queues(begun_rematches_[i], now, tables);
  begun_rematches_.clear();
  erase_empty_queues();
}

void matchmaker::erase_empty_queues() {
  for (auto* q : std::exchange(empty_, {})) {
    q->listed_as_empty = false;
    erase_if_empty(*q);
  }
}

matchmaker::queue* matchmaker::find_queue(const queue_key& key) {
  // Often that of the call before.
  if (latest_queue_ != nullptr && latest_queue_->key == key) return latest_queue_;
  const auto at = queues_.find(key);
  return at == queues_.end() ? nullptr : latest_queue_ = &at->second;
}

matchmaker::queue& matchmaker::queue_of(const queue_key& key) {
  if (auto* const known = find_queue(key)) return *known;
  auto& q = queues_[key];
  q.key = key;
  list_if_empty(q);
  return q;
}

void matchmaker::list_if_empty(queue& q) {
  if (q.size == 0 && !is_permanent(q.key) && !std::exchange(q.listed_as_empty, true))
    empty_.push_back(&q);
}

// A queue with visits to come is kept, because players who enter it again are paired then.
void matchmaker::erase_if_empty(queue& q) {
  if (q.size > 0) return;
  schedule(q);
  if (q.due) return;
  if (latest_queue_ == &q) latest_queue_ = nullptr;
  queues_.erase(queues_.find(q.key));
}

void matchmaker::add_to_index(const standing_seek& s, place_in& at) {
  const auto seat = s.seat();
  auto& q = *at.in;
  index_key key{s.what.opponent, {}, seat.value_or(-1), static_cast<bool>(s.game), at.place};
  at.unnamed = spare_.insert(q.index, key, s.what.player);
  ++steps_;
  if (!s.what.name.empty()) {
    key.name = s.what.name;
    at.named = spare_.insert(q.index, key, s.what.player);
    ++steps_;
  }
  if (s.game && seats_of(q.key) > 2) q.tables[s.game].emplace(at.place, s.what.player);
  if (seat) ++q.seats[*seat];
}

void matchmaker::remove_from_index(const standing_seek& s, const place_in& at) {
  auto& q = *at.in;
  spare_.keep(q.index.extract(at.unnamed));
  ++steps_;
  if (!s.what.name.empty()) {
    spare_.keep(q.index.extract(at.named));
    ++steps_;
  }
  if (s.game && seats_of(q.key) > 2) {
    auto& table = q.tables[s.game];
    table.erase(at.place);
    if (table.empty()) q.tables.erase(s.game);
  }
  if (const auto seat = s.seat()) --q.seats[*seat];
}

template <class Change>
void matchmaker::update(standing_seek& s, Change change) {
  for (const auto& p : s.places) remove_from_index(s, p);
  change();
  for (auto& p : s.places) add_to_index(s, p);
}

void matchmaker::enter(standing_seek& s, queue& q, base::instant now) {
  auto& mine = s.places.emplace_back(place_in{&q, ++numbers_, now});
  add_to_index(s, mine);
  ++q.size;
  ++waiting_[q.key.engine];
  if (const auto paused = paused_opponent(s.what.player, q, now, now))
    set_retry(s, mine, paused->end);
}

void matchmaker::leave(standing_seek& s, queue& q) {
  auto* const mine = s.place(q);
  if (mine == nullptr) return;
  set_retry(s, *mine, std::nullopt);
  remove_from_index(s, *mine);
  s.places.erase(s.places.begin() + (mine - s.places.data()));
  --q.size;
  --waiting_[q.key.engine];
  list_if_empty(q);
}

void matchmaker::leave_queues(standing_seek& s) {
  while (!s.places.empty()) leave(s, *s.places.back().in);
  leave_room_queue(s);
}

void matchmaker::erase_seek(seek_map::iterator at) {
  leave_queues(at->second);
  const auto& was = at->second.what;
  standing_.remove(was);
  if (!was.opponent.empty()) --named_seeks_;
  if (was.only_by_name) by_name_.erase(was.name);
  if (at->second.waits_for_bot != 0) forget_bots(at->second);
  seeks_.erase(at);
}

// Visits only the kinds of players (by seat and reported id) that wait.
std::optional<matchmaker::waiter> matchmaker::first(const queue& q, const requirements& fit,
                                                    std::string_view opponent, number after,
                                                    number before, player_id except) {
  std::optional<waiter> found;
  if (fit.contradictory) return found;
  const auto same_names = [&](auto at) {
    return at != q.index.end() && at->first.opponent == opponent && at->first.name == fit.name;
  };
  for (auto at = q.index.lower_bound({opponent, fit.name}); same_names(at);) {
    ++steps_;
    const auto& kind = at->first;
    const auto same_kind = [&](auto x) {
      return same_names(x) && x->first.seat == kind.seat && x->first.reserved == kind.reserved;
    };
    if (!(kind.seat >= 0 && holds(fit.taken, kind.seat)) && !(kind.reserved && fit.reserved)) {
      auto it = kind.place > after
                    ? at
                    : q.index.upper_bound({opponent, fit.name, kind.seat, kind.reserved, after});
      if (same_kind(it) && it->second == except) ++it;
      if (same_kind(it) && it->first.place < (found ? found->place : before))
        found = waiter{it->first.place, it->second};
    }
    const auto next = std::next(at);
    at = same_kind(next)
             ? q.index.upper_bound({opponent, fit.name, kind.seat, kind.reserved, last_number})
             : next;
  }
  return found;
}

std::optional<matchmaker::waiter> matchmaker::first_for(standing_seek& s, queue& q, number after,
                                                        number before, base::instant now) {
  requirements fit;
  fit.add(s);
  const auto paused = paused_opponent(s.what.player, q, s.place(q)->since, now);
  const auto except = paused ? paused->opponent : player_id{};
  auto found = first(q, fit, {}, after, before, except);
  if (fit.of_all.empty()) return found;
  const auto challenger = first(q, fit, fit.of_all, after, found ? found->place : before, except);
  return challenger ? challenger : found;
}

std::optional<matchmaker::pause> matchmaker::paused_opponent(player_id player, const queue& q,
                                                             base::instant since,
                                                             base::instant now) {
  const auto latest = latest_opponent_.find(player);
  if (latest == latest_opponent_.end()) return std::nullopt;
  const auto theirs = latest_opponent_.find(latest->second);
  if (theirs == latest_opponent_.end() || theirs->second != player) return std::nullopt;
  const auto them = seeks_.find(latest->second);
  auto* const place = them == seeks_.end() ? nullptr : them->second.place(q);
  if (place == nullptr) return std::nullopt;
  // A player with a reported id must be paired with the next player who arrives.
  if (them->second.game || seeks_.at(player).game) return std::nullopt;
  const auto end = std::max(since, place->since) + limits::rematch_pause;
  if (now >= end) return std::nullopt;
  return pause{latest->second, end};
}

bool matchmaker::are_alone(queue& q, player_id one, player_id other) {
  auto others = standing_.count(q.key);
  auto waiting = q.size;
  for (const auto player : {one, other}) {
    auto& s = seeks_.at(player);
    if (s.playing != 0) return false;
    if (standing_seek_counts::counts(s.what)) --others;
    if (s.place(q) != nullptr) --waiting;
  }
  return others == 0 && waiting == 0;
}

// Players with a required seat get it; the others take the free seats in queue order.
std::vector<player_id> matchmaker::by_seat(const queue_key& key,
                                           const std::vector<player_id>& party) const {
  std::vector<player_id> seats(static_cast<std::size_t>(seats_of(key)));
  const auto seat_of = [this](player_id player) { return seeks_.at(player).seat(); };
  for (const auto player : party)
    if (const auto seat = seat_of(player)) seats[static_cast<std::size_t>(*seat)] = player;
  auto left = party.begin();
  for (std::size_t i = 0; i < seats.size(); ++i) {
    if (seats[i]) continue;
    if (is_for_anyone(key.fillers, static_cast<seat_index>(i))) {
      while (seat_of(*left)) ++left;
      seats[i] = *left++;
    } else if (key.fillers[i].who == seat_filler::kind::bot) {
      seats[i] = by_name_.at(key.fillers[i].name);
    }
  }
  return seats;
}

void matchmaker::play_engine(player_id player, std::vector<pairing>& tables) {
  const auto at = seeks_.find(player);
  auto& mine = at->second;
  const auto games_max = std::min(mine.what.games_max, limits::engine_games_max);
  while (!mine.away && mine.playing < games_max) {
    const auto& key = mine.what.queues[mine.engine_games++ % mine.what.queues.size()];
    pairing plan{key, std::vector<player_id>(static_cast<std::size_t>(seats_of(key))), {}};
    plan.players[static_cast<std::size_t>(mine.what.seat.value_or(0))] = player;
    tables.push_back(std::move(plan));
    use_room();
    ++mine.playing;
    if (mine.what.again) continue;
    return erase_seek(at);
  }
}

void matchmaker::use_room() {
  if (room_ > 0) --room_;
  if (tables_left_ > 0) --tables_left_;
}

void matchmaker::join_queues(player_id player, base::instant now, std::vector<pairing>& tables) {
  auto* mine = &seeks_.at(player);
  if (mine->what.against_engine) return play_engine(player, tables);
  const auto by_name = mine->what.only_by_name;
  const auto order = leave_room_queue(*mine);
  for (std::size_t i = 0; can_open(); ++i) {
    mine = find_free(player);
    if (mine == nullptr || i == mine->what.queues.size()) break;
    const auto& key = mine->what.queues[i];
    // A copy of the key, because a game may use up the seek.
    by_name ? pair_with_challengers(player, queue_key{key}, now, tables)
            : join_queue(*mine, queue_of(key), now, tables);
  }
  if (by_name && find_free(player) != nullptr) serve_tables(player, now, tables);
  if (can_open()) return;
  mine = find_free(player);
  if (mine != nullptr) enter_room_queue(*mine, order ? *order : ++numbers_);
}

void matchmaker::enter_room_queue(standing_seek& s, number order) {
  s.waits_for_room = order;
  auto& mine = waiting_for_room_[order];
  mine.player = s.what.player;
  if (s.what.only_by_name) return;
  const auto& queues = s.what.queues;
  for (auto key = queues.begin(); key != queues.end(); ++key) {
    const auto* const q = find_queue(*key);
    if ((q != nullptr && s.place(*q) != nullptr) || std::find(queues.begin(), key, *key) != key)
      continue;
    mine.engines.push_back(key->engine);
    ++waiting_[key->engine];
  }
}

std::optional<matchmaker::number> matchmaker::leave_room_queue(standing_seek& s) {
  if (!s.waits_for_room) return std::nullopt;
  const auto at = waiting_for_room_.find(*s.waits_for_room);
  for (const auto engine : at->second.engines) --waiting_[engine];
  waiting_for_room_.erase(at);
  return std::exchange(s.waits_for_room, std::nullopt);
}

void matchmaker::join_queue(standing_seek& s, queue& q, base::instant now,
                            std::vector<pairing>& tables) {
  if (s.place(q) != nullptr) return;
  const auto& key = q.key;
  const auto player = s.what.player;
  auto* mine = pair_with_named(s, key, now, tables);
  const auto games_max = needed(key) == 1 ? limits::engine_games_max : limits::games_per_player_max;
  const std::string* lacks = nullptr;
  while (can_open() && mine != nullptr && mine->playing < games_max) {
    auto party = party_for(q, *mine, now);
    if (party.size() < static_cast<std::size_t>(needed(key) - 1)) break;
    if (lacks = missing_bot(key); lacks != nullptr) break;
    party.push_back(player);
    seat(key, &q, std::move(party), player, now, tables);
    mine = find_free(player);
  }
  if (!can_open() || mine == nullptr) return;
  if (lacks != nullptr)
    wait_for_bot(player, *lacks, key.engine);
  else if (needed(key) == 1)
    return;  // it plays as many games as it may
  if (q.size > 0 && key.party.empty()) add_visit(q, now + limits::rematch_pause);
  // No later queue can seat it first, so place() would report the same seat.
  if (mine->what.seat_at_once && !mine->reported_seat && !mine->what.again &&
      mine->what.queues.size() == 1)
    mine->reported_seat = seat_to_report(*mine);
  enter(*mine, q, now);
}

std::vector<player_id> matchmaker::party_for(queue& q, const standing_seek& mine,
                                             base::instant now) {
  if (seats_of(q.key) > 2) return big_party_for(q, mine);
  const auto player = mine.what.player;
  requirements fit;
  fit.add(mine);
  player_id except;
  if (q.key.party.empty())
    if (const auto paused = paused_opponent(player, q, now, now);
        paused && !are_alone(q, player, paused->opponent))
      except = paused->opponent;
  std::optional<waiter> found;
  // Players who require this opponent have priority.
  if (named_seeks_ > 0 && !fit.of_all.empty())
    found = first(q, fit, fit.of_all, 0, last_number, except);
  if (!found) found = first(q, fit, {}, 0, last_number, except);
  std::vector<player_id> party;
  if (!found) return party;
  party.reserve(2);
  party.push_back(found->player);
  return party;
}

bool matchmaker::add_table(const queue& q, game_id game, player_id except, std::size_t others,
                           std::vector<player_id>& party, requirements& fit) const {
  const auto at = q.tables.find(game);
  if (at == q.tables.end()) return true;
  auto all = party;
  auto with = fit;
  for (const auto& [place, player] : at->second) {
    if (player == except) continue;
    const auto& theirs = seeks_.at(player);
    const auto seat = theirs.seat();
    if (all.size() == others || (seat && holds(with.taken, *seat))) return false;
    all.push_back(player);
    with.add(theirs);
  }
  party = std::move(all);
  fit = with;
  return true;
}

std::vector<player_id> matchmaker::big_party_for(const queue& q, const standing_seek& mine) {
  const auto others = static_cast<std::size_t>(needed(q.key) - 1);
  const auto player = mine.what.player;
  requirements fit;
  fit.add(mine);
  std::vector<player_id> party;
  if (mine.game && !add_table(q, mine.game, player, others, party, fit)) return {};
  number after = 0;
  for (std::size_t tried = 0; party.size() < others && tried < tables_tried_max;) {
    const auto w = first(q, fit, {}, after, last_number, player);
    if (!w) break;
    after = w->place;
    const auto& theirs = seeks_.at(w->player);
    if (theirs.game) {
      if (!add_table(q, theirs.game, player, others, party, fit)) ++tried;
      continue;
    }
    party.push_back(w->player);
    fit.add(theirs);
  }
  return party;
}

void matchmaker::seat(const queue_key& key, queue* q, std::vector<player_id> party,
                      player_id entering, base::instant now, std::vector<pairing>& tables) {
  game_id game;
  for (const auto player : party) {
    const auto& theirs = seeks_.at(player);
    if (theirs.game) game = theirs.game;
    // Only standing seeks queue again automatically and need the pause.
    if (seats_of(key) == 2 && theirs.what.again && !theirs.what.seat_at_once)
      latest_opponent_[player] = player == party.front() ? party.back() : party.front();
  }
  auto& plan = tables.emplace_back();
  plan.queue = key;
  plan.players = by_seat(key, party);
  plan.game = game;
  for (const auto& each : key.fillers)
    if (each.who == seat_filler::kind::bot) party.push_back(by_name_.at(each.name));
  use_room();
  std::vector<player_id> back;
  for (const auto player : party) {
    const auto at = seeks_.find(player);
    auto& theirs = at->second;
    if (!theirs.what.again) {
      erase_seek(at);
      continue;
    }
    if (q != nullptr) leave(theirs, *q);
    update(theirs, [&] {
      ++theirs.playing;
      theirs.reported_seat.reset();
      theirs.game = {};
    });
    if (theirs.usual) {
      leave_queues(theirs);
      theirs.usual->has_begun = true;
      begun_rematches_.push_back(player);
    } else if (!theirs.has_capacity()) {
      leave_queues(theirs);
    } else if (player != entering && !theirs.what.only_by_name) {
      back.push_back(player);
    }
  }
  // Players with capacity left queue again, behind the others.
  for (const auto player : back) {
    if (q->size > 0) add_visit(*q, now + limits::rematch_pause);
    enter(seeks_.at(player), *q, now);
  }
  // In all their queues others may be able to meet them now.
  for (const auto player : party)
    if (const auto at = seeks_.find(player); at != seeks_.end())
      for (auto& p : at->second.places) set_retry(at->second, p, at_any_visit);
}

void matchmaker::add_visit(queue& q, base::instant at) {
  // Removes at most two visits that were made, so that their number decreases by calls of the same
  // cost.
  for (int i = 0; i < 2 && !q.visits.empty(); ++i) {
    const auto oldest = q.visits.begin();
    if (*oldest > visited_ || (q.due && *q.due <= *oldest)) break;
    q.visits.erase(oldest);
    ++steps_;
  }
  q.visits.insert({at, ++numbers_});
  ++steps_;
  schedule(q);
}

void matchmaker::set_retry(standing_seek& s, place_in& at, std::optional<base::instant> from) {
  ++steps_;
  auto& q = *at.in;
  if (at.retry_from) q.retries.erase({*at.retry_from, at.place});
  at.retry_from = from;
  if (!from) return;
  q.retries.emplace(retry{*from, at.place}, s.what.player);
  schedule(q);
}

// Sets the next visit that has something to do. The last visit of an empty queue erases it.
void matchmaker::schedule(queue& q) {
  auto next = q.visits.end();
  if (q.size == 0 && !q.visits.empty())
    next = std::prev(next);
  else if (!q.retries.empty() && seats_of(q.key) == 2)
    next = q.visits.upper_bound(std::max(visited_, visit{q.retries.begin()->first.from}));
  if (next == q.visits.end() || *next <= visited_ || (q.due && *q.due <= *next)) return;
  if (q.due) due_.erase(*q.due);
  q.due = *next;
  due_.emplace(*next, &q);
}

matchmaker::standing_seek* matchmaker::seek_at(const queue& q, const waiter& w) {
  const auto at = seeks_.find(w.player);
  auto* const p = at == seeks_.end() ? nullptr : at->second.place(q);
  return p != nullptr && p->place == w.place ? &at->second : nullptr;
}

bool matchmaker::visit_queue(queue& q, base::instant now, std::size_t& looked_at,
                             std::vector<pairing>& tables) {
  if (seats_of(q.key) != 2) return true;
  std::vector<waiter> due;
  while (due.size() < retries_per_call_max && !q.retries.empty() &&
         q.retries.begin()->first.from <= now) {
    const auto [at, player] = *q.retries.begin();
    due.push_back({at.place, player});
    auto& s = seeks_.at(player);
    set_retry(s, *s.place(q), std::nullopt);
  }
  looked_at += due.size();
  const bool more = !q.retries.empty() && q.retries.begin()->first.from <= now;
  const bool paired = pair_in_order(q, due, now, tables);
  for (const auto& w : due) {
    auto* const s = seek_at(q, w);
    if (s == nullptr) continue;
    auto& p = *s->place(q);
    const auto paused = paused_opponent(w.player, q, p.since, now);
    if (!paired)
      set_retry(*s, p, at_any_visit);
    else if (paused)
      set_retry(*s, p, paused->end);
  }
  return paired && !more;
}

// A pair that can meet has at least one of the due places. So it is enough to look, for each of
// these, for an earlier player and for later ones.
bool matchmaker::pair_in_order(queue& q, const std::vector<waiter>& due, base::instant now,
                               std::vector<pairing>& tables) {
  const auto end = numbers_ + 1;  // players who enter meanwhile are not looked at
  // The later player first: an earlier one is sought for it. The second is the due place that it
  // was found for, or the same place.
  std::map<std::pair<number, number>, std::pair<waiter, waiter>> searches;
  const auto find_later = [&](const waiter& w, number after) {
    auto* const s = seek_at(q, w);
    const auto later = s == nullptr ? std::nullopt : first_for(*s, q, after, end, now);
    if (later) searches.emplace(std::pair{later->place, w.place}, std::pair{*later, w});
  };
  for (const auto& w : due) {
    searches.emplace(std::pair{w.place, w.place}, std::pair{w, w});
    find_later(w, w.place);
  }
  while (!searches.empty()) {
    const auto [later, from] = searches.begin()->second;
    searches.erase(searches.begin());
    auto* const s = seek_at(q, later);
    if (const auto earlier = s == nullptr ? std::nullopt : first_for(*s, q, 0, later.place, now)) {
      if (!can_open()) return false;
      seat(q.key, &q, {earlier->player, later.player}, {}, now, tables);
    }
    if (later.place != from.place) find_later(from, later.place);
  }
  return true;
}

void matchmaker::admit_waiting(base::instant now, std::vector<pairing>& tables) {
  for (std::size_t i = 0; i < retries_per_call_max && can_open() && !waiting_for_room_.empty();
       ++i) {
    const auto player = waiting_for_room_.begin()->second.player;
    leave_room_queue(seeks_.at(player));
    join_queues(player, now, tables);
  }
}

void matchmaker::advance(base::instant now, std::vector<pairing>& tables) {
  admit_waiting(now, tables);
  std::size_t looked_at = 0;
  const auto is_due = [&] { return !due_.empty() && due_.begin()->first.at <= now; };
  while (is_due() && can_open() && looked_at < retries_per_call_max) {
    const auto [at, q] = *due_.begin();
    visited_ = at;
    if (!visit_queue(*q, now, looked_at, tables)) break;
    ++looked_at;
    due_.erase(at);
    q->due.reset();
    if (q->size > 0)
      schedule(*q);
    else
      list_if_empty(*q);
  }
  if (room_ > 0 && !is_due()) visited_ = std::max(visited_, visit{now, last_number});
  end_call(now, tables);
}

std::optional<base::instant> matchmaker::next() const {
  if (room_ == 0) return std::nullopt;
  if (!waiting_for_room_.empty()) return visited_.at;
  return due_.empty() ? std::nullopt : std::optional{due_.begin()->first.at};
}

}  // namespace gamehub::actors::lobby
