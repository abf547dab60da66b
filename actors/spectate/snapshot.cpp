#include "actors/spectate/snapshot.hpp"

#include "actors/table/engine_output.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::spectate {

namespace {

void query_position(const table::table& t, int viewer, bool has_cells, position& out) {
  out.to_move = t.to_move();
  out.substituted = t.substituted().now();
  table::render_position(t.match(), viewer, view_form::document, out);
  if (has_cells) table::render_position(t.match(), viewer, view_form::cells, out);
  table::render_score(t.match(), out);
}

}  // namespace

std::vector<legal_action> legal_actions(const table::table& t, seat_index seat) {
  std::vector<engines::action> legal;
  t.match().legal_actions(seat, legal);
  legal.resize(std::min(legal.size(), snapshot_actions_max));
  std::vector<legal_action> out;
  out.reserve(legal.size());
  for (const auto a : legal) out.push_back(table::describe_action(t.match(), a));
  return out;
}

game_snapshot make_snapshot(const table::table& t, std::shared_ptr<const game_metadata> metadata,
                            journal::record_number last, std::optional<seat_index> as,
                            std::optional<engines::host::engine_failure>& failed) {
  game_snapshot out;
  const auto has_cells = !metadata->marks.empty();
  out.progress = {std::move(metadata), t.over() ? game_status::ended : game_status::running, last};
  if (t.over()) out.position.outcome = t.outcome();
  try {
    const auto sits = as && *as >= 0 && *as < static_cast<seat_index>(t.seats().size());
    query_position(t, sits ? *as : engines::spectator, has_cells, out.position);
    if (sits && holds(t.to_move(), *as)) out.actions = legal_actions(t, *as);
  } catch (const engines::host::engine_failure& failure) {
    // The failure ends the game only if it happens at a move.
    failed = failure;
  }
  if (t.over()) return out;
  for (const auto& seat : t.seats()) out.visits.push_back(seat.last_seen);
  out.offers = t.open_offers();
  return out;
}

}  // namespace gamehub::actors::spectate
