#include "actors/look.hpp"

#include <algorithm>
#include <utility>

#include "actors/views.hpp"

namespace gamehub::actors {

namespace {

void ask_engine(const table& t, bool has_cells, game_snapshot& out) {
  const auto& match = t.match();
  auto& p = out.position;
  p.to_move = t.to_move();
  write_view(match, engines::spectator, p.document);
  if (has_cells) draw_board(match, engines::spectator, p.rows, p.columns, p.cells);
}

void ask_engine_for(seat_index seat, const table& t, bool has_cells, game_snapshot& out) {
  const auto& match = t.match();
  write_view(match, seat, out.view);
  if (!holds(t.to_move(), seat)) return;
  std::vector<engines::action> legal;
  match.legal_actions(seat, legal);
  legal.resize(std::min(legal.size(), looked_actions_max));
  for (const auto a : legal) {
    auto& found = out.actions.emplace_back();
    found.text = match.to_text(a);
    if (const auto cell = has_cells ? match.cell_of(a) : -1; cell >= 0) found.cell = cell;
  }
}

}  // namespace

game_snapshot look_at(const table& t, std::shared_ptr<const game_metadata> card,
                  journal::record_number last, std::optional<seat_index> as) {
  game_snapshot out;
  const auto has_cells = !card->marks.empty();
  out.progress = {std::move(card), t.over() ? game_status::ended : game_status::running, last};
  if (t.over()) out.position.outcome = t.outcome();
  try {
    ask_engine(t, has_cells, out);
    const auto sits = as && *as >= 0 && *as < static_cast<seat_index>(t.seats().size());
    if (sits && !t.over()) ask_engine_for(*as, t, has_cells, out);
  } catch (const engines::engine_failure&) {
    // Whether that ends the game is found out when it is asked for a move.
  }
  if (t.over()) return out;
  for (const auto& seat : t.seats()) out.visits.push_back(seat.visited);
  return out;
}

}  // namespace gamehub::actors
