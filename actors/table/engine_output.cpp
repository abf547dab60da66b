#include "actors/table/engine_output.hpp"

#include "hub/base/json.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <vector>

namespace gamehub::actors::table {

namespace {

void render_board(const engines::host::match& match, int viewer, position& p) {
  const auto size = match.cells();
  p.rows = static_cast<std::uint16_t>(size.rows);
  p.columns = static_cast<std::uint16_t>(size.columns);
  match.glyphs(viewer, p.cells);
  const auto shown = [](char c) { return c >= ' ' && c <= '~'; };
  if (p.cells.size() != std::size_t{p.rows} * p.columns ||
      !std::all_of(p.cells.begin(), p.cells.end(), shown))
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

}  // namespace

void render_position(const engines::host::match& match, int viewer, view_form form, position& p) {
  if (form == view_form::cells)
    render_board(match, viewer, p);
  else
    render_view(match, viewer, p.document);
}

void render_score(const engines::host::match& match, position& p) {
  match.score(p.score);
  match.summary(p.summary);
}

legal_action describe_action(const engines::host::match& match, engines::action a) {
  legal_action out{match.to_text(a), {}};
  if (const auto cell = match.cell_of(a); cell >= 0) out.cell = cell;
  return out;
}

seat_actions list_actions(const engines::host::match& match, seat_index seat) {
  std::vector<engines::action> legal;
  match.legal_actions(seat, legal);
  seat_actions out{seat, "["};
  for (const auto a : legal) {
    const auto text = match.to_json(a);
    if (!base::json::valid(text))
      throw engines::host::engine_failure{"an action of the engine is no JSON", "action_to_json"};
    out.complete = out.list.size() + text.size() + 2 <= limits::action_list_bytes_max;
    if (!out.complete) break;
    if (out.list.size() > 1) out.list += ',';
    out.list += text;
  }
  out.list += ']';
  return out;
}

refusal refusal_of(std::string_view word) {
  if (word == "out-of-bounds") return refusal::out_of_bounds;
  if (word == "space-not-empty") return refusal::space_not_empty;
  if (word == "not-your-turn") return refusal::not_your_turn;
  if (word == "game-over") return refusal::game_over;
  if (word == "malformed") return refusal::malformed;
  return refusal::illegal_move;
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
