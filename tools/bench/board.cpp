#include "tools/bench/board.hpp"

#include <array>

namespace gamehub::tools::bench {
namespace {

struct script {
  int length;
  std::array<std::int8_t, 9> cells;
  ending end;
};

constexpr std::array<script, 13> scripts{{
    {5, {0, 5, 3, 4, 6}, ending::x_won},
    {7, {1, 6, 4, 0, 3, 8, 7}, ending::x_won},
    {8, {2, 6, 1, 8, 5, 0, 7, 4}, ending::o_won},
    {9, {3, 5, 2, 6, 1, 0, 8, 4, 7}, ending::draw},
    {6, {4, 3, 2, 6, 5, 0}, ending::o_won},
    {9, {5, 3, 2, 7, 6, 0, 1, 8, 4}, ending::x_won},
    {7, {6, 0, 7, 5, 1, 4, 8}, ending::x_won},
    {6, {7, 0, 6, 1, 3, 2}, ending::o_won},
    {5, {8, 0, 2, 4, 5}, ending::x_won},
    {6, {8, 1, 5, 4, 3, 7}, ending::o_won},
    {7, {8, 2, 0, 7, 6, 3, 4}, ending::x_won},
    {8, {8, 3, 4, 2, 5, 6, 1, 0}, ending::o_won},
    {9, {8, 4, 6, 2, 1, 7, 0, 3, 5}, ending::draw},
}};

constexpr bool scripts_are_legal() {
  for (const auto& s : scripts) {
    board b;
    for (int i = 0; i < s.length; ++i) {
      const auto cell = s.cells[static_cast<std::size_t>(i)];
      if (ending_of(b) != ending::none || !b.is_free(cell)) return false;
      b = b.with(cell);
    }
    if (ending_of(b) != s.end) return false;
  }
  return true;
}
// Illegal moves would measure refusals.
static_assert(scripts_are_legal());

}  // namespace

bool follows(board before, board after) {
  const auto kept = (after.x & before.x) == before.x && (after.o & before.o) == before.o;
  const auto apart = (after.x & after.o) == 0;
  const auto in_turn = std::popcount(after.x) - std::popcount(after.o);
  const auto made = after.moves() - before.moves();
  return kept && apart && (in_turn == 0 || in_turn == 1) && (made == 1 || made == 2);
}

move_script::move_script() : next_by_board_(std::size_t{1} << 18, -1) {
  for (const auto& s : scripts) {
    auto b = board{}.with(s.cells[0]);
    if (s.cells[0] == common_opening) common_replies_.push_back(s.cells[1]);
    for (int i = 1; i < s.length; ++i) {
      const auto cell = s.cells[static_cast<std::size_t>(i)];
      next_by_board_[index_of(b)] = cell;
      b = b.with(cell);
    }
  }
}

int move_script::next(board b) {
  if (b == board{}.with(common_opening))
    return common_replies_[replies_given_++ % common_replies_.size()];
  if (const auto cell = next_by_board_[index_of(b)]; cell >= 0) return cell;
  return std::countr_one(b.used());
}

}  // namespace gamehub::tools::bench
