#include "tests/contract/engine_contract_secrets.hpp"

#include <bit>
#include <utility>

namespace gamehub::tests {

using engines::action;
using engines::chance;
using engines::engine;
using engines::match;
using engines::only;
using engines::spectator;

std::vector<int> viewers_of(const match& m) {
  std::vector<int> out{spectator};
  for (int seat = 0; seat < m.players(); ++seat) out.push_back(seat);
  return out;
}

std::string shown_to(const match& m, int viewer) {
  std::string out;
  std::string glyphs;
  m.view_json(viewer, out);
  m.glyphs(viewer, glyphs);
  out += ' ' + glyphs + " to move " + std::to_string(m.to_move());
  if (viewer != spectator) {
    std::vector<action> legal;
    m.legal_actions(viewer, legal);
    for (const auto a : legal) out += ' ' + std::to_string(a);
  }
  return out;
}

void secrets::begin(const match& m) {
  knows_.clear();
  hidden_this_turn_.clear();
  trusted_ = true;
  remember(m);
}

void secrets::before(const match& m, int seat, action a) {
  const auto audience = m.audience(seat, a);
  out_.expect(
      audience == engines::everyone || !rules_.perfect_information() || rules_.simultaneous(),
      "an action is secret although all information is perfect");
  try_twins(m, seat, a);
  const bool ends_turn = std::has_single_bit(m.to_move());
  const auto told = ' ' + std::to_string(seat) + ':' + std::to_string(a);
  for (const int viewer : viewers_of(m)) {
    auto& knows = knows_[viewer];
    auto& hidden = hidden_this_turn_[viewer];
    if (viewer == seat || (audience & only(viewer)) != 0) {
      knows += told;
    } else {
      knows += ' ' + std::to_string(seat) + ":?";
      if (seat != chance) hidden += told;
    }
    // When all have chosen, the choices of a simultaneous turn are shown.
    if (ends_turn && rules_.simultaneous()) knows += std::exchange(hidden, {});
  }
  if (reveals_midway_ && audience == engines::everyone) trusted_ = false;
}

void secrets::after(const match& m) { remember(m); }

// What is shown at the end (a showdown) may be more than anyone could know before.
void secrets::remember(const match& m) {
  if (!trusted_ || m.over()) return;
  for (const int viewer : viewers_of(m)) {
    const auto shown = shown_to(m, viewer);
    const auto [at, is_new] = seen_.emplace(std::to_string(viewer) + '|' + knows_[viewer], shown);
    out_.expect(is_new || at->second == shown, "a view shows what its viewer may not know",
                "viewer " + std::to_string(viewer) + " saw " + at->second + ", then " + shown);
  }
}

// The same at once, for games so large that chance alone never leads to the same knowledge twice:
// had the seat done something else that is hidden from the viewer, the viewer would see the same.
// And the other way round: an action that the log tells everyone must not be one that the view
// hides.
void secrets::try_twins(const match& m, int seat, action a) {
  if (rules_.perfect_information() && !rules_.simultaneous()) return;
  std::vector<action> others;
  m.legal_actions(seat, others);
  match mine = m.clone();
  if (mine.apply(seat, a) != nullptr || mine.over()) return;
  for (const auto other : others) {
    match twin = m.clone();
    if (other == a || twin.apply(seat, other) != nullptr || twin.over()) continue;
    const auto mine_known = m.audience(seat, a);
    const auto twin_known = m.audience(seat, other);
    for (const int viewer : viewers_of(m)) {
      const auto one = shown_to(mine, viewer);
      const auto two = shown_to(twin, viewer);
      const auto detail = "viewer " + std::to_string(viewer) + " sees " + one + " or " + two;
      const auto viewer_bit = only(viewer);
      if (viewer != seat && ((mine_known | twin_known) & viewer_bit) == 0)
        out_.expect(one == two, "a view shows what its viewer may not know", detail);
      if (viewer != seat && (mine_known & twin_known & viewer_bit) != 0)
        out_.expect(one != two, "an action is told to someone whose view hides it", detail);
    }
  }
}

}  // namespace gamehub::tests
