#include "actors/lobby/asleep_game.hpp"

#include "actors/game/game.hpp"
#include "actors/table/public_projection.hpp"
#include "actors/table/replay.hpp"
#include "actors/table/substitutes.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

table::substitutes substitutes_of(const journal::game_log& log) {
  auto all = table::substitutes::at_start(log.records);
  for (const auto& r : log.records) all.follow(r);
  return all;
}

}  // namespace

game_clock clock_of(const asleep_game& g, const clock_rule& otherwise, base::instant now) {
  using std::chrono::milliseconds;
  game_clock out;
  const auto turn_time = game::clock_of(g.log.records, otherwise).turn_time();
  if (turn_time.count() == 0) return out;
  out.at = now;
  out.running = *g.to_move;
  out.left.assign(journal::seats_of(g.log.records).size(), turn_time);
  const auto left = std::chrono::duration_cast<milliseconds>(g.due - now);
  for (std::size_t i = 0; i < out.left.size(); ++i)
    if (holds(out.running, static_cast<seat_index>(i)))
      out.left[i] = std::clamp(left, milliseconds{0}, turn_time);
  return out;
}

std::optional<seat_index> seat_of(const journal::game_log& log, player_id player) {
  const auto gone = substitutes_of(log).gone();
  for (const auto& r : journal::seats_of(log.records))
    if (player_id{static_cast<std::uint64_t>(r.action)} == player && !r.secret.empty() &&
        !holds(gone, r.seat))
      return r.seat;
  return std::nullopt;
}

sleeping_seat show(const asleep_game& g, seat_index seat, const engines::host::engine& rules,
                   const clock_rule& otherwise, base::instant now) {
  const auto about = table::metadata_of(g.log, &rules);
  sleeping_seat out{g.log.header.id, {about->engine, about->marks, about->players, seat}, {}};
  out.begun.visits.resize(about->players.size());
  for (const auto& r : g.log.records)
    if (table::shows_player(r)) out.begun.visits.at(static_cast<std::size_t>(r.seat)) = r.at;
  out.begun.terms = std::make_shared<const game_terms>(
      game_terms{about->engine_version, about->options,
                 game::clock_of(g.log.records, otherwise).turn_time(), about->kinds, about->clock});
  auto latest = std::make_shared<position>();
  latest->number = g.log.records.back().number;
  latest->to_move = *g.to_move;
  latest->substituted = substitutes_of(g.log).now();
  latest->clock = clock_of(g, otherwise, now);
  out.latest = std::move(latest);
  return out;
}

}  // namespace gamehub::actors::lobby
