// Othello: a placed disc turns over the discs of the opponent that it encloses in a line. The
// example of a skipped turn: a player without a move passes automatically, because a pass is the
// only choice. So protocols that support only cells can play it.
#include "engines/grid_game.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace gamehub::engines::othello {

namespace {

constexpr int side = 8;
constexpr int cells = side * side;

// A set of cells, numbered row by row from the top left.
using cell_set = std::uint64_t;

constexpr cell_set only_cell(std::int64_t cell) { return cell_set{1} << cell; }

constexpr cell_set first_column = 0x0101010101010101;
constexpr cell_set center = only_cell(3 * side + 3) | only_cell(3 * side + 4) |
                            only_cell(4 * side + 3) | only_cell(4 * side + 4);

// One step in a direction: a shift, with a mask that prevents wrapping at the edges.
struct direction {
  int step;
  cell_set reached;
};

constexpr std::array<direction, 8> directions{{{1, ~first_column},
                                               {-1, ~(first_column << 7)},
                                               {side, ~cell_set{0}},
                                               {-side, ~cell_set{0}},
                                               {side + 1, ~first_column},
                                               {side - 1, ~(first_column << 7)},
                                               {-side + 1, ~first_column},
                                               {-side - 1, ~(first_column << 7)}}};

constexpr cell_set moved(cell_set set, const direction& d) {
  return (d.step > 0 ? set << d.step : set >> -d.step) & d.reached;
}

// Returns the cells where a disc turns over at least one other.
cell_set places(cell_set own, cell_set other) {
  cell_set out = 0;
  for (const auto& d : directions) {
    cell_set enclosed = moved(own, d) & other;
    // A line has at most six discs of the opponent between two own discs.
    for (int i = 0; i < side - 3; ++i) enclosed |= moved(enclosed, d) & other;
    out |= moved(enclosed, d);
  }
  return out & ~(own | other);
}

// Returns the discs that a disc on the cell turns over.
cell_set turned_over(cell_set own, cell_set other, cell_set cell) {
  cell_set out = 0;
  for (const auto& d : directions) {
    cell_set enclosed = 0;
    cell_set at = moved(cell, d);
    for (; (at & other) != 0; at = moved(at, d)) enclosed |= at;
    if ((at & own) != 0) out |= enclosed;
  }
  return out;
}

}  // namespace

class game : public grid_game<game> {
 public:
  static constexpr description about{.id = "othello",
                                     .title = "Othello",
                                     .actions_max = cells - 4,
                                     .plies_max = cells - 4,
                                     .actions_end = cells};
  static constexpr face_description face{
      .blurb = "Outflank, turn over, own the corners.",
      .rules =
          {"The board has eight by eight cells; four discs lie in the middle. Black begins.",
           "A player places a disc of the own colour on a free cell, so that a straight line of "
           "the "
           "other player's discs lies between it and another own disc. All discs in such lines, in "
           "any of the eight directions, are turned over to the player's colour.",
           "A player who can turn over nothing passes; the hub does that.",
           "When neither player can move, the player with more discs wins. With as many discs each "
           "the game is a draw."},
      .board = "felt",
      .pieces = {"black-stone", "white-stone"},
      .marks = {"Black", "White"},
      .score_label = "discs",
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
              R"(<rect x="3" y="3" width="18" height="18" rx="2"/><path d="M12 3v18M3 12h18"/>)"
              R"(<circle cx="7.5" cy="7.5" r="2.5" fill="currentColor"/>)"
              R"(<circle cx="16.5" cy="16.5" r="2.5" fill="currentColor"/>)"
              R"(<circle cx="16.5" cy="7.5" r="2.5"/><circle cx="7.5" cy="16.5" r="2.5"/>)"
              R"(</svg>)"};

  seats to_move() const noexcept { return mover_ == no_seat ? 0 : only(static_cast<int>(mover_)); }

  void legal_actions(int seat, action_list& out) const {
    for (cell_set left = places(own(seat), own(1 - seat)); left != 0; left &= left - 1)
      out.add(std::countr_zero(left));
  }

  reason apply(int seat, action a) noexcept {
    if (const reason why = refusal(a)) return why;
    const cell_set turned = turned_over(own(seat), own(1 - seat), only_cell(a));
    if (turned == 0) return "turns-nothing-over";
    discs_[static_cast<std::size_t>(seat)] |= turned | only_cell(a);
    discs_[static_cast<std::size_t>(1 - seat)] &= ~turned;
    mover_ = can_move(1 - seat) ? static_cast<std::uint64_t>(1 - seat)
             : can_move(seat)   ? static_cast<std::uint64_t>(seat)
                                : no_seat;
    return nullptr;
  }

  // The discs on the board.
  void score(std::span<double> out) const {
    out[0] = std::popcount(discs_[0]);
    out[1] = std::popcount(discs_[1]);
  }

  void summary(writer& out) const {
    const int ahead = lead();
    const std::string_view name = ahead > 0 ? "Black" : "White";
    if (ahead == 0)
      out << "Both players have " << std::popcount(discs_[0]) << " discs.";
    else
      out << name << " leads by " << std::max(ahead, -ahead)
          << (ahead * ahead == 1 ? " disc." : " discs.");
  }

  // States the player to move, because a pass is not visible otherwise. Null after the end.
  void details(writer& out) const {
    out << R"(,"discs":[)" << std::popcount(discs_[0]) << ',' << std::popcount(discs_[1])
        << R"(],"turn":)";
    write_mark(mark_of(static_cast<int>(mover_)), out);
  }

  // The four cells in the middle are never empty, and the player to move has a move.
  bool valid() const {
    if ((discs_[0] & discs_[1]) != 0 || (taken() & center) != center) return false;
    if (mover_ == no_seat) return !can_move(0) && !can_move(1);
    return mover_ < no_seat && can_move(static_cast<int>(mover_));
  }

  grid board() const { return {side, side}; }

  int at(int cell) const noexcept {
    return (discs_[0] & only_cell(cell)) != 0   ? 0
           : (discs_[1] & only_cell(cell)) != 0 ? 1
                                                : no_seat;
  }

  int winner() const {
    if (mover_ != no_seat || lead() == 0) return no_seat;
    return lead() > 0 ? 0 : 1;
  }

 private:
  cell_set own(int seat) const { return discs_[static_cast<std::size_t>(seat)]; }
  // How many discs more black has than white.
  int lead() const { return std::popcount(discs_[0]) - std::popcount(discs_[1]); }
  cell_set taken() const { return discs_[0] | discs_[1]; }
  bool can_move(int seat) const { return places(own(seat), own(1 - seat)) != 0; }

  // The discs of X, who is black and moves first, and of O.
  std::array<cell_set, 2> discs_{only_cell(3 * side + 4) | only_cell(4 * side + 3),
                                 only_cell(3 * side + 3) | only_cell(4 * side + 4)};
  // As wide as the sets, so that the bytes of a match have no gaps.
  std::uint64_t mover_ = 0;
};

}  // namespace gamehub::engines::othello

GAMEHUB_ENGINE(gamehub::engines::othello::game);
