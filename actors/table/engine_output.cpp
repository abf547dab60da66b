#include "actors/table/engine_output.hpp"

#include <algorithm>

namespace gamehub::actors::table {

void render_board(const engines::host::match& match, int viewer, std::uint16_t& rows,
                  std::uint16_t& columns, std::string& cells) {
  const auto size = match.cells();
  rows = static_cast<std::uint16_t>(size.rows);
  columns = static_cast<std::uint16_t>(size.columns);
  match.glyphs(viewer, cells);
  const auto shown = [](char c) { return c >= ' ' && c <= '~'; };
  if (cells.size() != std::size_t{rows} * columns ||
      !std::all_of(cells.begin(), cells.end(), shown))
    throw engines::host::engine_failure{
        "the engine returned a board of the wrong size, or with non-printable cells", "glyphs"};
}

void render_view(const engines::host::match& match, int viewer, std::string& document) {
  match.view_json(viewer, document);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  if (!document.starts_with('{') || !document.ends_with('}') ||
      std::any_of(document.begin(), document.end(), control))
    throw engines::host::engine_failure{"the engine's view is no JSON object on one line",
                                        "view_json"};
}

outcome outcome_by_rules(const engines::host::match& match) {
  outcome o;
  o.scores.resize(static_cast<std::size_t>(match.players()));
  match.scores(o.scores);
  const auto best = std::max_element(o.scores.begin(), o.scores.end());
  if (std::count(o.scores.begin(), o.scores.end(), *best) == 1)
    o.winner = static_cast<seat_index>(best - o.scores.begin());
  return o;
}

}  // namespace gamehub::actors::table
