// Tic-Tac-Toe: two players mark the cells of a 3×3 board, three in a line win. The example of a
// simple engine with cells and a perfect player.
#include "engines/dice.hpp"
#include "engines/grid_game.hpp"

#include <array>
#include <bit>

namespace gamehub::engines::tictactoe {

namespace {

constexpr int side = 3;
constexpr int cells = side * side;
constexpr std::uint32_t all_cells = (1U << cells) - 1;

// A set of cells is 9 bits. For each set: true if it contains three in a line.
constexpr auto lines = [] {
  constexpr std::array<std::uint32_t, 8> each{0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
  std::array<bool, all_cells + 1> out{};
  for (std::uint32_t set = 0; set <= all_cells; ++set)
    for (const auto line : each)
      if ((set & line) == line) out[set] = true;
  return out;
}();

}  // namespace

class game : public grid_game<game> {
 public:
  static constexpr description about{.id = "tictactoe",
                                     .title = "Tic-Tac-Toe",
                                     .actions_max = cells,
                                     .plies_max = cells,
                                     .actions_end = cells};
  static constexpr face_description face{
      .blurb = "Three in a row. Quick, and never quite over.",
      .rules =
          {"The players take turns. A player marks one free cell of the three by three board; "
           "X begins.",
           "The first player with three own marks in a row, in a column or on a diagonal wins.",
           "If all cells are marked and no player has three in a line, the game is a draw."},
      .board = "squares",
      .pieces = {"cross", "circle"},
      .marks = {"X", "O"},
      .line = 3,
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="2">)"
              R"(<path d="M9 3v18M15 3v18M3 9h18M3 15h18"/>)"
              R"(<path d="M4 4l3 3M7 4l-3 3"/><circle cx="12" cy="12" r="2"/>)"
              R"(</svg>)"};
  static constexpr bool immediate = true;

  seats to_move() const noexcept {
    if (won(0) || won(1) || taken() == all_cells) return 0;
    // True if the number of marks is odd. A population count is a function call on most machines.
    return only(__builtin_parity(taken()));
  }

  void legal_actions(int, action_list& out) const {
    for (int cell = 0; cell < cells; ++cell)
      if (!holds_cell(taken(), cell)) out.add(cell);
  }

  reason apply(int seat, action cell) noexcept {
    if (const reason why = refusal(cell)) return why;
    auto& own = marked_[static_cast<std::size_t>(seat)];
    own = static_cast<std::uint16_t>(own | (1U << cell));
    return nullptr;
  }

  // Accepts exactly the reachable states.
  bool valid() const {
    if ((marked_[0] | marked_[1]) > all_cells || (marked_[0] & marked_[1]) != 0) return false;
    const int ahead = std::popcount(marked_[0]) - std::popcount(marked_[1]);
    if (won(0)) return ahead == 1 && !won(1);
    if (won(1)) return ahead == 0;
    return ahead == 0 || ahead == 1;
  }

  grid board() const { return {side, side}; }

  int at(int cell) const noexcept {
    return holds_cell(marked_[0], cell) ? 0 : holds_cell(marked_[1], cell) ? 1 : no_seat;
  }

  int winner() const { return won(0) ? 0 : won(1) ? 1 : no_seat; }

  reason choose(int seat, const play_style& style, action& out) const;

 private:
  static bool holds_cell(std::uint32_t set, int cell) { return (set >> cell & 1U) != 0; }

  std::uint32_t taken() const { return std::uint32_t{marked_[0]} | marked_[1]; }
  bool won(std::size_t seat) const { return lines[marked_[seat]]; }

  // The cells of X and of O. Their numbers determine the player to move.
  std::array<std::uint16_t, 2> marked_{};
};

namespace {

// The best cells of every position: those of the shortest forced win, otherwise of the longest
// defence. Computed once, at the first call, in about a millisecond.
class solution {
 public:
  solution() { solve(0, 0); }

  std::uint32_t best(std::uint32_t own, std::uint32_t other) const { return at(own, other).best; }

 private:
  struct answer {
    std::uint16_t best = 0;
    std::int8_t value = 0;  // Above 0: the mover wins, and more so the sooner.
    bool known = false;
  };

  // Positions by the cells of the mover and the cells of the other, as digits 1 and 2 to base 3.
  static constexpr auto powers = [] {
    std::array<std::uint16_t, all_cells + 1> out{};
    for (std::uint32_t set = 0; set <= all_cells; ++set)
      for (std::uint32_t cell = 0, power = 1; cell < cells; ++cell, power *= 3)
        if ((set >> cell & 1U) != 0) out[set] = static_cast<std::uint16_t>(out[set] + power);
    return out;
  }();
  static constexpr std::size_t positions = 19683;  // 3 to the power of 9.

  const answer& at(std::uint32_t own, std::uint32_t other) const {
    return answers_[powers[own] + 2U * powers[other]];
  }

  int solve(std::uint32_t own, std::uint32_t other) {
    const std::uint32_t taken = own | other;
    const int left = cells - std::popcount(taken);
    if (lines[other]) return -1 - left;
    if (left == 0) return 0;
    answer& out = answers_[powers[own] + 2U * powers[other]];
    if (out.known) return out.value;
    out = {0, INT8_MIN, true};
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
      if ((taken >> cell & 1U) != 0) continue;
      const int value = -solve(other, own | 1U << cell);
      if (value > out.value) out = {0, static_cast<std::int8_t>(value), true};
      if (value == out.value) out.best = static_cast<std::uint16_t>(out.best | 1U << cell);
    }
    return out.value;
  }

  std::array<answer, positions> answers_{};
};

// Returns the cells that complete a line of the player.
std::uint32_t winning(std::uint32_t own, std::uint32_t other) {
  std::uint32_t out = 0;
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    if (((own | other) >> cell & 1U) == 0 && lines[own | 1U << cell]) out |= 1U << cell;
  return out;
}

// Returns the candidate cells of a level. Medium considers only lines that either player can
// complete now.
std::uint32_t choices(level skill, std::uint32_t own, std::uint32_t other) {
  static const solution solved;
  const std::uint32_t free = all_cells & ~(own | other);
  switch (skill) {
    case level::perfect: return solved.best(own, other);
    case level::medium:
      if (const auto wins = winning(own, other)) return wins;
      if (const auto threats = winning(other, own)) return threats;
      return free;
    case level::random: break;
  }
  return free;
}

}  // namespace

reason game::choose(int seat, const play_style& style, action& out) const {
  const auto own = static_cast<std::size_t>(seat);
  std::uint32_t from = choices(style.skill, marked_[own], marked_[1 - own]);
  auto skipped = rng{style.seed}.below(static_cast<std::size_t>(std::popcount(from)));
  for (; skipped > 0; --skipped) from &= from - 1;
  out = std::countr_zero(from);
  return nullptr;
}

}  // namespace gamehub::engines::tictactoe

GAMEHUB_ENGINE(gamehub::engines::tictactoe::game);
