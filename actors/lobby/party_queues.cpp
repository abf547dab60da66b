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

std::vector<record> seats_of(const journal::game_log& log) {
  std::vector<record> seats;
  for (const auto& r : log.records)
    if (r.what == record::kind::joined) seats.push_back(r);
  return seats;
}

player_id player_of(const record& joined) { return {static_cast<std::uint64_t>(joined.action)}; }

}  // namespace

std::string party_of_invitation(const std::string& invitation) {
  return "by invitation " + journal::digest_of(invitation);
}

std::optional<runtime::seek_result> party_queues::resolve(runtime::seek_request& m,
                                                          queue_key& party) const {
  if (m.rematch_of) return resolve_rematch(m, party);
  if (!m.what.invitation.empty()) return resolve_invitation(m, party);
  return std::nullopt;
}

std::optional<runtime::seek_result> party_queues::resolve_invitation(runtime::seek_request& m,
                                                                     queue_key& party) const {
  party.party = party_of_invitation(m.what.invitation);
  party.closed = true;
  const auto* opened = waiting_.find_invited(party.party);
  if (opened == nullptr)
    return refused_with(m, refusal::not_in_game, "nobody waits with that invitation");
  m.what.engines = {opened->metadata->engine};
  m.what.options = {opened->metadata->options};
  m.what.games_max = 1;
  m.what.again = m.what.against_engine = m.what.closed = false;
  m.what.opponent.clear();
  return std::nullopt;
}

// Seats rotate: each player moves one seat forward, and the first player takes the last seat.
std::optional<runtime::seek_result> party_queues::resolve_rematch(runtime::seek_request& m,
                                                                  queue_key& party) const {
  const auto log = log_.find(m.rematch_of);
  if (!log || log->records.back().what != record::kind::ended)
    return refused_with(m, refusal::not_in_game);
  const auto seats = seats_of(*log);
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

}  // namespace gamehub::actors::lobby
