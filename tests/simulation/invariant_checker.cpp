#include "tests/simulation/invariant_checker.hpp"

#include "actors/table/engine_opponent.hpp"
#include "actors/table/replay.hpp"
#include "actors/table/substitutes.hpp"

#include <algorithm>

namespace gamehub::tests {

using journal::record;

namespace {

void require(bool holds, const std::string& otherwise, game_id id) {
  if (!holds) throw violation{otherwise + " (game " + std::to_string(id.value) + ")"};
}

bool same(const outcome& a, const outcome& b) {
  return a.reason == b.reason && a.winner == b.winner && a.scores == b.scores &&
         a.forfeits == b.forfeits;
}

// The game has ended for this player, while an engine plays on.
bool is_own_end(const outcome& how, seat_index seat) {
  return how.forfeits == only(seat) && how.scores.empty();
}

}  // namespace

void invariant_checker::check_started(identity who, game_id id, const started& s) {
  const auto engine = directory_.find_engine(s.engine);
  require(engine.has_value(), "a game of an engine that the hub does not have", id);
  auto& g = games_.try_emplace(id, game{*engine, s.players, {}, {}, {}}).first->second;
  require(g.engine == *engine && g.players == s.players, "two players are told of different games",
          id);
  require(s.players.size() == static_cast<std::size_t>(rules_of(id).players_min()),
          "a game has other seats than its engine", id);
  for (const auto& name : s.players)
    require(actors::table::engine_opponent::is_engine_player_name(name) ||
                std::count(s.players.begin(), s.players.end(), name) == 1,
            "a player meets itself", id);
  const auto fresh = g.seats.emplace(s.seat, who);
  require(fresh.first->second == who, "a seat is given twice", id);
  for (const auto& [seat, player] : g.seats)
    require(seat == s.seat || player != who, "a person has two seats", id);
  if (const auto w = waits_.find(who); w != waits_.end()) g.waits[s.seat] = w->second;
  waits_.erase(who);
  if (fresh.second && g.seats.size() == 2 && g.players.size() == 2) check_order(g);
}

// A player whose seek was answered before the other one sent its seek has the first seat.
void invariant_checker::check_order(const game& g) {
  const auto first = g.waits.find(0), second = g.waits.find(1);
  if (first != g.waits.end() && second != g.waits.end() &&
      first->second.asked > second->second.answered)
    throw violation{"the later one to wait has the first seat"};
}

void invariant_checker::check_position(identity who, game_id id, const position& p,
                                       view_form form) {
  auto& g = games_.at(id);
  const auto at = std::find_if(g.seats.begin(), g.seats.end(),
                               [who](const auto& each) { return each.second == who; });
  require(at != g.seats.end(), "a position for a client without a seat", id);
  require(p.number <= log_.committed(id), "told before it was committed", id);
  require((p.prompted & ~p.to_move) == 0, "prompted out of turn", id);
  if (p.outcome) {
    const bool own = is_own_end(*p.outcome, at->first);
    require(!own || g.players.size() > 2, "an engine plays on in a game of two", id);
    if (!own && !g.how) g.how = p.outcome;
    require(own || same(*g.how, *p.outcome), "two players are told of different ends", id);
    require(p.to_move == 0, "a seat is to move after the end", id);
  }
  const auto match = replay(id, p.number);
  if (!p.outcome) require(p.to_move == match.to_move(), "the wrong player is to move", id);
  const auto viewer =
      directory_.engines[g.engine].rules.perfect_information() ? engines::spectator : at->first;
  std::string shown;
  if (form == view_form::cells)
    match.glyphs(viewer, shown);
  else
    match.view_json(viewer, shown);
  const auto& reported = form == view_form::cells ? p.cells : p.document;
  require(shown == reported, "shown " + reported + " where the log says " + shown, id);
}

engines::host::match invariant_checker::replay(game_id id, journal::record_number upto) const {
  auto records = log_.read(id, 0);
  std::erase_if(records, [upto](const record& r) { return r.number > upto; });
  try {
    return actors::table::match_before(rules_of(id), {}, records, upto + 1);
  } catch (const engines::host::engine_failure& wrong) {
    require(false, wrong.what(), id);
    throw;
  }
}

std::optional<engines::host::match> invariant_checker::match_of(game_id id) const {
  const auto at = games_.find(id);
  if (at == games_.end() || at->second.how) return std::nullopt;
  return replay(id, log_.committed(id));
}

const engines::host::engine& invariant_checker::rules_of(game_id id) const {
  return directory_.engines[games_.at(id).engine].rules;
}

void invariant_checker::check_logs() const {
  if (!log_.open_games().empty()) throw violation{"a game whose log never ended"};
  if (!log_.pending().empty()) throw violation{"a game that was not committed"};
  for (const auto& h : log_.headers()) {
    const auto records = log_.read(h.id, 0);
    require(!records.empty() && records.front().what == record::kind::opened &&
                records.back().what == record::kind::ended,
            "a log without beginning or end", h.id);
    const auto at = games_.find(h.id);
    // All its clients may have disconnected before the first event.
    if (at == games_.end()) continue;
    const auto& g = at->second;
    require(h.engine == directory_.engines[g.engine].traits.id, "the log of another engine", h.id);
    const auto& last = records.back();
    const auto match = replay(h.id, last.number);
    require(match.over() == (last.why == end_reason::rules), "the log ends where the rules do not",
            h.id);
    auto left = actors::table::substitutes::at_start(records);
    for (const auto& r : records)
      require(left.follow(r), "an engine plays on where it can't", h.id);
    if (last.why == end_reason::rules) {
      outcome how;
      how.scores.resize(static_cast<std::size_t>(match.players()));
      match.scores(how.scores);
      const auto best = std::max_element(how.scores.begin(), how.scores.end());
      if (std::count(how.scores.begin(), how.scores.end(), *best) == 1)
        how.winner = static_cast<seat_index>(best - how.scores.begin());
      left.settle(how);
      require(how.winner.value_or(-1) == last.seat, "the log names another winner than the rules",
              h.id);
    }
    require(std::holds_alternative<engines::host::match>(
                actors::table::replay(rules_of(h.id), h, records)),
            "the log can't be replayed", h.id);
    if (g.how)
      require(g.how->reason == last.why && g.how->winner.value_or(-1) == last.seat,
              "players were told of another end than the log's", h.id);
  }
}

invariant_checker::tally invariant_checker::count() const {
  tally t;
  for (const auto& h : log_.headers()) {
    ++t.games;
    for (const auto& r : log_.read(h.id, 0)) {
      t.moves += r.what == record::kind::moved ? 1 : 0;
      if (r.what == record::kind::ended)
        ++t.ended[{std::min(static_cast<int>(r.seat), 2), static_cast<int>(r.why)}];
    }
  }
  return t;
}

}  // namespace gamehub::tests
