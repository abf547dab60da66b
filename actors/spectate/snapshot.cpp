#include "actors/spectate/snapshot.hpp"

#include "actors/table/engine_output.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::spectate {

namespace {

void query_public(const table::table& t, bool has_cells, position& out) {
  out.to_move = t.to_move();
  table::render_position(t.match(), engines::spectator, view_form::document, out);
  if (has_cells) table::render_position(t.match(), engines::spectator, view_form::cells, out);
}

void query_seat(seat_index seat, const table::table& t, game_snapshot& out) {
  const auto& match = t.match();
  position mine;
  table::render_position(match, seat, view_form::document, mine);
  out.view = std::move(mine.document);
  if (!holds(t.to_move(), seat)) return;
  std::vector<engines::action> legal;
  match.legal_actions(seat, legal);
  legal.resize(std::min(legal.size(), snapshot_actions_max));
  for (const auto a : legal) out.actions.push_back(table::describe_action(match, a));
}

}  // namespace

game_snapshot make_snapshot(const table::table& t, std::shared_ptr<const game_metadata> metadata,
                            journal::record_number last, std::optional<seat_index> as,
                            std::optional<engines::host::engine_failure>& failed) {
  game_snapshot out;
  const auto has_cells = !metadata->marks.empty();
  out.progress = {std::move(metadata), t.over() ? game_status::ended : game_status::running, last};
  if (t.over()) out.position.outcome = t.outcome();
  try {
    query_public(t, has_cells, out.position);
    const auto sits = as && *as >= 0 && *as < static_cast<seat_index>(t.seats().size());
    if (sits && !t.over()) query_seat(*as, t, out);
  } catch (const engines::host::engine_failure& failure) {
    // The failure ends the game only if it happens at a move.
    failed = failure;
  }
  if (t.over()) return out;
  for (const auto& seat : t.seats()) out.visits.push_back(seat.last_seen);
  return out;
}

}  // namespace gamehub::actors::spectate
