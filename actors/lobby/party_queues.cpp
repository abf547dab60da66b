#include "actors/lobby/party_queues.hpp"

#include "actors/table/engine_opponent.hpp"

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
  m.what.games_max = 1;
  m.what.again = m.what.against_engine = m.what.closed = false;
  m.what.opponent.clear();
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
  const auto count = static_cast<seat_index>(seats.size());
  m.what.engines = {log->header.engine};
  m.what.options = {log->header.options};
  m.what.seat = (mine->seat + count - 1) % count;
  // An opponent with a standing seek is challenged by name, so it need not request the rematch too.
  if (m.awaits.size() == 1)
    if (const auto* them = names_.find(m.awaits.front());
        them != nullptr && matches_.is_ready(them->name)) {
      m.what.opponent = them->name;
      m.awaits.clear();
      return std::nullopt;
    }
  party.party = "rematch of " + std::to_string(m.rematch_of.value);
  party.closed = log->records.front().action != 0;
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
  std::vector<rematch_offers::member> all;
  for (const auto& r : journal::seats_of(m.ended_log->records))
    if (const auto* who = player_of(r) ? names_.find(player_of(r)) : nullptr)
      all.push_back({player_of(r), r.seat, who->name});
  return all;
}

}  // namespace gamehub::actors::lobby
