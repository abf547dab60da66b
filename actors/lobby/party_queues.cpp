// How the lobby brings those together who are to meet nobody else: by an invitation, or because
// they have just played each other.
#include <algorithm>
#include <utility>

#include "actors/house.hpp"
#include "actors/lobby.hpp"

namespace gamehub::actors {

using journal::record;

namespace {

seek_answer no(const seek_request& m, refusal why, std::string detail = {}) {
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

std::optional<seek_answer> lobby::find_party(seek_request& m, queue_key& party) {
  if (m.rematch_of) return find_rematch(m, party);
  if (!m.what.invitation.empty()) return find_host(m, party);
  return std::nullopt;
}

std::optional<seek_answer> lobby::find_host(seek_request& m, queue_key& party) {
  party.party = party_of_invitation(m.what.invitation);
  party.closed = true;
  const auto* host = waiting_.find_invited(party.party);
  if (host == nullptr) return no(m, refusal::not_in_game, "nobody waits with that invitation");
  m.what.engines = {host->card->engine};
  m.what.options = {host->card->options};
  m.what.games_max = 1;
  m.what.again = m.what.against_engine = m.what.closed = false;
  m.what.opponent.clear();
  return std::nullopt;
}

// Everybody moves up by one seat, and the first takes the last.
std::optional<seek_answer> lobby::find_rematch(seek_request& m, queue_key& party) {
  const auto log = setup_.log->find(m.rematch_of);
  if (!log || log->records.back().what != record::kind::ended) return no(m, refusal::not_in_game);
  const auto seats = seats_of(*log);
  const auto mine = std::find_if(seats.begin(), seats.end(),
                                 [&](const record& r) { return player_of(r) == m.player; });
  if (mine == seats.end()) return no(m, refusal::not_in_game);
  m.awaits.clear();
  for (const auto& r : seats) {
    const auto other = player_of(r);
    if (!other) {
      m.what.against_engine = true;
      if (const auto as = house::level_of_wire(r.wire)) m.what.level = to_string(*as);
    }
    if (!other || other == m.player) continue;
    if (!named_.contains(other)) return no(m, refusal::opponent_left);
    m.awaits.push_back(other);
  }
  const auto count = static_cast<seat_index>(seats.size());
  m.what.engines = {log->header.engine};
  m.what.options = {log->header.options};
  m.what.seat = (mine->seat + count - 1) % count;
  // Who stands to be asked for by name is asked so, and need not ask itself.
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

void lobby::turn_away_rematches_of(player_id gone) {
  for (const auto player : waiting_.waiting_for(gone)) {
    const auto& s = seekers_.at(player);
    tell(s.session, seek_answer{{}, waiting_.game_of(player), refusal::opponent_left, {}, {}});
    matches_.withdraw(player);
    drop_seeker(player);
  }
}

}  // namespace gamehub::actors
