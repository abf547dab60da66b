#include "actors/spectate/snapshot.hpp"

#include "actors/table/engine_output.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::spectate {

namespace {

void query_public(const table::table& t, bool has_cells, game_snapshot& out) {
  const auto& match = t.match();
  auto& p = out.position;
  p.to_move = t.to_move();
  table::render_view(match, engines::spectator, p.document);
  if (has_cells) table::render_board(match, engines::spectator, p.rows, p.columns, p.cells);
}

void query_seat(seat_index seat, const table::table& t, bool has_cells, game_snapshot& out) {
  const auto& match = t.match();
  table::render_view(match, seat, out.view);
  if (!holds(t.to_move(), seat)) return;
  std::vector<engines::action> legal;
  match.legal_actions(seat, legal);
  legal.resize(std::min(legal.size(), snapshot_actions_max));
  for (const auto a : legal) {
    auto& found = out.actions.emplace_back();
    found.text = match.to_text(a);
    if (const auto cell = has_cells ? match.cell_of(a) : -1; cell >= 0) found.cell = cell;
  }
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
    query_public(t, has_cells, out);
    const auto sits = as && *as >= 0 && *as < static_cast<seat_index>(t.seats().size());
    if (sits && !t.over()) query_seat(*as, t, has_cells, out);
  } catch (const engines::host::engine_failure& failure) {
    // The failure ends the game only if it happens at a move.
    failed = failure;
  }
  if (t.over()) return out;
  for (const auto& seat : t.seats()) out.visits.push_back(seat.last_seen);
  return out;
}

}  // namespace gamehub::actors::spectate
