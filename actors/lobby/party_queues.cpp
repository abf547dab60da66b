#include "actors/lobby/party_queues.hpp"

#include "actors/table/engine_opponent.hpp"
#include "hub/base/require.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

using journal::record;

namespace {

runtime::seek_result refused_with(const runtime::seek_request& m, refusal why,
                                  std::string detail = {}) {
  return {{}, {}, why, std::move(detail), m.answers};
}

// The seek takes a free seat of the game.
void join(const waiting_games::entry& opened, runtime::seek_request& m, queue_key& party) {
  party.party = opened.queue.party;
  party.closed = opened.queue.closed;
  m.host = opened.by;
  m.what.engines = {opened.metadata->engine};
  m.what.options = {opened.metadata->options};
  m.what.clock = to_text(opened.queue.clock);
  m.what.games_max = 1;
  m.what.again = m.what.against_engine = m.what.closed = false;
  m.what.opponent.clear();
  m.what.others.clear();
  party.fillers = opened.queue.fillers;
}

player_id player_of(const record& joined) { return {static_cast<std::uint64_t>(joined.action)}; }

}  // namespace

std::string party_of_invitation(const std::string& invitation) {
  return "by invitation " + journal::digest_of(invitation);
}

std::optional<runtime::seek_result> party_queues::resolve(runtime::seek_request& m,
                                                          queue_key& party) const {
  if (m.rematch_of) return resolve_rematch(m, party);
  if (m.what.join) return resolve_join(m, party);
  if (!m.what.invitation.empty()) return resolve_invitation(m, party);
  return std::nullopt;
}

std::optional<runtime::seek_result> party_queues::resolve_join(runtime::seek_request& m,
                                                               queue_key& party) const {
  const auto* opened = waiting_.find(m.what.join);
  if (opened == nullptr || opened->metadata->closed)
    return refused_with(m, refusal::not_in_game, no_such_game);
  const auto* me = names_.find(m.player);
  const auto& only = opened->metadata->reserved_for;
  const bool awaited =
      std::find(opened->awaits.begin(), opened->awaits.end(), m.player) != opened->awaits.end();
  if (!opened->awaits.empty() && only.empty() && !awaited)
    return refused_with(m, refusal::seat_taken, "it is kept for the players of another game");
  if (!only.empty() && !awaited && (!opened->awaits.empty() || me == nullptr || me->name != only))
    return refused_with(m, refusal::seat_taken, "it is kept for " + only);
  join(*opened, m, party);
  return std::nullopt;
}

std::optional<runtime::seek_result> party_queues::resolve_invitation(runtime::seek_request& m,
                                                                     queue_key& party) const {
  const auto* opened = waiting_.find_invited(party_of_invitation(m.what.invitation));
  if (opened == nullptr)
    return refused_with(m, refusal::not_in_game, "nobody waits with that invitation");
  join(*opened, m, party);
  return std::nullopt;
}

// Seats rotate: each player moves one seat forward, and the first player takes the last seat.
std::optional<runtime::seek_result> party_queues::resolve_rematch(runtime::seek_request& m,
                                                                  queue_key& party) const {
  const auto& log = m.ended_log;
  if (!log || log->records.back().what != record::kind::ended)
    return refused_with(m, refusal::not_in_game);
  const auto seats = journal::seats_of(log->records);
  const auto mine = std::find_if(seats.begin(), seats.end(),
                                 [&](const record& r) { return player_of(r) == m.player; });
  if (mine == seats.end()) return refused_with(m, refusal::not_in_game);
  m.awaits.clear();
  const auto count = static_cast<seat_index>(seats.size());
  const auto seat_after = [count](seat_index seat) { return (seat + count - 1) % count; };
  m.what.seat = seat_after(mine->seat);
  m.what.engines = {log->header.engine};
  m.what.options = {log->header.options};
  m.what.clock = log->records.front().text;
  if (count > 2) return resolve_big_rematch(m, seats, party);
  for (const auto& r : seats) {
    const auto other = player_of(r);
    if (!other) {
      m.what.against_engine = true;
      if (const auto as = table::engine_opponent::level_of_wire(r.wire))
        m.what.level = engines::to_string(*as);
    }
    if (!other || other == m.player) continue;
    if (names_.find(other) == nullptr) return refused_with(m, refusal::opponent_left);
    m.awaits.push_back(other);
  }
  // An opponent with a standing seek is challenged by name, so it need not request the rematch too.
  if (m.awaits.size() == 1)
    if (const auto* them = names_.find(m.awaits.front());
        them != nullptr && matches_.is_ready(them->name)) {
      m.what.opponent = them->name;
      m.awaits.clear();
      return std::nullopt;
    }
  name_rematch(m, party);
  return std::nullopt;
}

std::string party_queues::reserved_for(const runtime::seek_request& m) const {
  if (m.awaits.empty()) return m.what.opponent;
  if (m.awaits.size() > 1) return {};
  const auto* other = names_.find(m.awaits.front());
  return other == nullptr ? std::string{} : other->name;
}

std::vector<rematch_offers::member> party_queues::players_of_rematch(
    const runtime::seek_request& m) const {
  GAMEHUB_REQUIRE(m.ended_log != nullptr);
  std::vector<rematch_offers::member> all;
  const auto awaits = [&m](player_id player) {
    return std::find(m.awaits.begin(), m.awaits.end(), player) != m.awaits.end();
  };
  for (const auto& r : journal::seats_of(m.ended_log->records))
    if (const auto player = player_of(r); player == m.player || awaits(player))
      if (const auto* who = names_.find(player)) all.push_back({player, r.seat, who->name});
  return all;
}

// Engines and bots take their new seats again.
std::optional<runtime::seek_result> party_queues::resolve_big_rematch(
    runtime::seek_request& m, const std::vector<record>& seats, queue_key& party) const {
  const auto count = seats.size();
  m.what.others.clear();
  for (std::size_t seat = 0; seat < count; ++seat) {
    if (static_cast<seat_index>(seat) == *m.what.seat) continue;
    const auto& before = seats[(seat + 1) % count];
    const auto* who = names_.find(player_of(before));
    if (const auto level = table::engine_opponent::level_of_wire(before.wire)) {
      m.what.others.push_back({seat_filler::kind::engine, std::string{engines::to_string(*level)}});
    } else if (who == nullptr) {
      return refused_with(m, refusal::opponent_left);
    } else if (matches_.is_ready(who->name)) {
      m.what.others.push_back({seat_filler::kind::bot, who->name});
    } else {
      m.what.others.emplace_back();
      m.awaits.push_back(player_of(before));
    }
  }
  name_rematch(m, party);
  return std::nullopt;
}

void party_queues::name_rematch(const runtime::seek_request& m, queue_key& party) {
  party.party = "rematch of " + std::to_string(m.rematch_of.value);
  party.closed = journal::is_closed(m.ended_log->records);
}

}  // namespace gamehub::actors::lobby
