// Hex: two players mark the cells of a rhombus of hexagons. X connects the top and the bottom edge,
// O the left and the right one; exactly one of them succeeds. The example of an action that changes
// the mark of another player: with the swap rule O may take over the first mark of X.
#include "engines/grid_game.hpp"

#include <array>
#include <cstdint>

namespace gamehub::engines::hex {

namespace {

constexpr int side_min = 3;
constexpr int side_max = 19;
constexpr int cells_max = side_max * side_max;

constexpr const char* schema = R"({"type":"object","properties":{)"
                               R"("side":{"type":"integer","minimum":3,"maximum":19,"default":11},)"
                               R"("swap":{"type":"boolean","default":true}},)"
                               R"("additionalProperties":false})";

using marks_of_player = cell_set<cells_max>;

// The neighbours of a cell, as rows and columns.
constexpr int neighbours[6][2] = {{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}};

}  // namespace

class game : public grid_game<game> {
 public:
  static constexpr description about{.id = "hex",
                                     .title = "Hex",
                                     .actions_max = cells_max,
                                     .plies_max = cells_max + 1,
                                     .actions_end = cells_max,
                                     .options_schema = schema};
  static constexpr face_description face{
      .blurb = "Build a chain from edge to edge. There is no draw.",
      .rules =
          {"The players take turns and place one stone on a free cell; red begins. Stones are "
           "never moved or taken away.",
           "A cell touches six others: those beside it in its row, those above and below it in its "
           "column, the one above to its right, and the one below to its left.",
           "Red wins with a chain of touching stones from the top edge to the bottom edge, blue "
           "with one from the left edge to the right edge. Exactly one of them succeeds.",
           "The first move is strong. So blue may answer it by choosing the stone itself: it "
           "becomes a blue one at the mirrored place, where row and column are exchanged. The "
           "options set the size of the board, and whether this is allowed."},
      .board = "hexagons",
      .pieces = {"disc", "ringed-disc"},
      .marks = {"Red", "Blue"},
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
              R"(<path d="M7 3l4 2.3v4.6l-4 2.3-4-2.3V5.3z" fill="currentColor"/>)"
              R"(<path d="M15 3l4 2.3v4.6l-4 2.3-4-2.3V5.3z"/>)"
              R"(<path d="M11 9.9l4 2.3v4.6l-4 2.3-4-2.3v-4.6z" fill="currentColor"/>)"
              R"(<path d="M19 9.9l4 2.3v4.6l-4 2.3-4-2.3v-4.6z"/>)"
              R"(</svg>)"};

  reason set_up(std::string_view options, int) {
    side_ = static_cast<std::uint16_t>(json::integer_or(options, "side", side_));
    swap_ = json::boolean_or(options, "swap", true) ? 1 : 0;
    return nullptr;
  }
  int players() const { return 2; }

  seats to_move() const noexcept { return winner_ == no_seat ? only(mover_) : 0; }

  void legal_actions(int, action_list& out) const {
    if (may_swap())
      for (int cell = 0; cell < cell_count(); ++cell) out.add(cell);
    else
      marks_of_player::list_free(marked_[0], marked_[1], cell_count(), out);
  }

  reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= cell_count()) return reasons::out_of_bounds;
    const int cell = static_cast<int>(a);
    auto& own = marked_[static_cast<std::size_t>(seat)];
    if (at(cell) == no_seat) {
      own.add(cell);
      if (connects(seat, cell)) winner_ = static_cast<std::uint16_t>(seat);
    } else if (may_swap()) {
      marked_[0].remove(cell);
      own.add(cell % side_ * side_ + cell / side_);
      swapped_ = 1;
    } else {
      return reasons::space_not_empty;
    }
    mover_ = static_cast<std::uint16_t>(1 - seat);
    return nullptr;
  }

  // Says whether the player to move may swap, because the board does not show it.
  void details(writer& out) const {
    out << R"(,"turn":)";
    write_mark(winner_ == no_seat ? mark_of(mover_) : GAMEHUB_BLANK, out);
    out << R"(,"may_swap":)" << may_swap() << R"(,"swapped":)" << (swapped_ != 0);
  }

  void summary(writer& out) const {
    if (may_swap()) out << "Blue may take over the first stone.";
  }

  // The turns alternate, and a chain is the end of the game.
  bool valid() const {
    if (side_ < side_min || side_ > side_max || swap_ > 1 || swapped_ > swap_ || mover_ > 1 ||
        winner_ > no_seat)
      return false;
    for (int cell = 0; cell < marks_of_player::capacity; ++cell)
      if (at(cell) != no_seat &&
          (cell >= cell_count() || (marked_[0].has(cell) && marked_[1].has(cell))))
        return false;
    // The player who made the first move, before a swap, or has its mark since then.
    const int first = marked_[swapped_].count();
    const int second = marked_[1 - swapped_].count();
    if (first != second && first != second + 1) return false;
    if (swapped_ != 0 && first == 0) return false;
    if (mover_ != (first == second ? swapped_ : 1 - swapped_)) return false;
    const bool chains[2] = {has_chain(0), has_chain(1)};
    if (winner_ == no_seat) return !chains[0] && !chains[1];
    return winner_ == 1 - mover_ && chains[winner_] && !chains[mover_];
  }

  grid board() const { return {side_, side_}; }

  int at(int cell) const noexcept {
    return marked_[0].has(cell) ? 0 : marked_[1].has(cell) ? 1 : no_seat;
  }

  int winner() const { return winner_; }

 private:
  // Only the answer to the first move can be a swap.
  bool may_swap() const noexcept {
    return swap_ != 0 && swapped_ == 0 && mover_ == 1 && marked_[0].count() == 1;
  }

  // The edges that the cell touches of the two that the seat connects: bit 0 and bit 1.
  unsigned edges_at(int seat, int cell) const {
    const int line = seat == 0 ? cell / side_ : cell % side_;
    return (line == 0 ? 1U : 0U) | (line == side_ - 1 ? 2U : 0U);
  }

  // True if the chain of the seat that contains the cell touches both edges.
  bool connects(int seat, int cell) const {
    const auto& own = marked_[static_cast<std::size_t>(seat)];
    marks_of_player seen;
    seen.add(cell);
    std::array<std::uint16_t, cells_max> open;
    std::size_t count = 0;
    open[count++] = static_cast<std::uint16_t>(cell);
    unsigned edges = 0;
    while (count > 0) {
      const int here = open[--count];
      edges |= edges_at(seat, here);
      if (edges == 3) return true;
      for (const auto& [down, right] : neighbours) {
        const int row = here / side_ + down;
        const int column = here % side_ + right;
        if (row < 0 || row >= side_ || column < 0 || column >= side_) continue;
        const int next = row * side_ + column;
        if (!own.has(next) || seen.has(next)) continue;
        seen.add(next);
        open[count++] = static_cast<std::uint16_t>(next);
      }
    }
    return false;
  }

  // Each chain from edge to edge has a cell at the first one.
  bool has_chain(int seat) const {
    for (int i = 0; i < side_; ++i) {
      const int cell = seat == 0 ? i : i * side_;
      if (marked_[static_cast<std::size_t>(seat)].has(cell) && connects(seat, cell)) return true;
    }
    return false;
  }

  // The cells of X and of O.
  std::array<marks_of_player, 2> marked_{};
  std::uint16_t side_ = 11;
  std::uint8_t swap_ = 1;     // 1: the answer to the first move may be a swap.
  std::uint8_t swapped_ = 0;  // 1: it was one.
  std::uint16_t mover_ = 0;
  std::uint16_t winner_ = no_seat;
};

}  // namespace gamehub::engines::hex

GAMEHUB_ENGINE(gamehub::engines::hex::game);
