// Seek: X hides a ship in one cell of a board of 4 × 4; O shoots five times to find it. The example
// of hidden cells: what a viewer may not know is a blank on its board, and a null in its view; and
// of the face of a game with a board.
#include "engines/plugin.hpp"

#include <cstdint>

namespace gamehub::engines {
namespace {

constexpr int side = 4;
constexpr int cells = side * side;
constexpr int shots_max = 5;
constexpr std::uint16_t nowhere = cells;

class game {
 public:
  static constexpr description about{.id = "seek",
                                     .title = "Seek",
                                     .perfect_information = false,
                                     .actions_max = cells,
                                     .plies_max = 1 + shots_max,
                                     .actions_end = cells};
  static constexpr const char* marks = "XO";
  static constexpr face_description face{
      .blurb = "Find the ship that the other one has hidden.",
      .rules = {"The first player hides a ship in one of the sixteen cells.",
                "The second player has five shots. A shot into the cell of the ship wins; without "
                "a hit the first player wins."},
      .board = "felt",
      .pieces = {"black-stone", "white-stone"},
      .marks = {"Hider", "Seeker"},
      .score_label = "shots"};

  seats to_move() const noexcept {
    if (ship_ == nowhere) return only(0);
    return is_found() || count() == shots_max ? 0 : only(1);
  }

  void legal_actions(int, action_list& out) const {
    for (int cell = 0; cell < cells; ++cell)
      if (!is_shot(cell)) out.add(cell);
  }

  reason apply(int, action cell) noexcept {
    if (cell < 0 || cell >= cells) return reasons::out_of_bounds;
    if (is_shot(static_cast<int>(cell))) return reasons::space_not_empty;
    if (ship_ == nowhere)
      ship_ = static_cast<std::uint16_t>(cell);
    else
      shots_ = static_cast<std::uint16_t>(shots_ | 1U << cell);
    return nullptr;
  }

  // Only X may know where the ship is; the shots are public.
  seats audience(int seat, action) const { return seat == 0 ? only(0) : everyone; }

  // The shots are public.
  void score(std::span<double> out) const { out[1] = count(); }

  void scores(std::span<double> out) const {
    out[1] = is_found() ? 1 : -1;
    out[0] = -out[1];
  }

  // The same for a viewer as its board.
  void view(int viewer, writer& out) const {
    out << R"({"ship":)";
    if (sees_ship(viewer))
      out << ship_;
    else
      out << "null";
    out << R"(,"hidden":)" << (ship_ != nowhere) << R"(,"shots":[)";
    bool is_first = true;
    for (int cell = 0; cell < cells; ++cell) {
      if (!is_shot(cell)) continue;
      out << (is_first ? "" : ",") << cell;
      is_first = false;
    }
    out << "]}";
  }

  grid board() const { return {side, side}; }
  // `viewer` is the seat that looks, or `spectator`: only X sees the ship before it is found.
  char glyph(int viewer, int cell) const {
    if (cell == ship_ && sees_ship(viewer)) return marks[0];
    return is_shot(cell) ? marks[1] : GAMEHUB_BLANK;
  }
  reason action_at(int, std::int64_t cell, action& out) const {
    if (cell < 0 || cell >= cells) return reasons::out_of_bounds;
    out = cell;
    return nullptr;
  }
  // The cell of an action is shown only to those in its audience.
  std::int64_t cell_of(action cell) const { return cell; }

  bool valid() const {
    return ship_ <= nowhere && count() <= shots_max && (ship_ != nowhere || shots_ == 0);
  }

 private:
  bool is_shot(int cell) const { return (shots_ >> cell & 1U) != 0; }
  bool is_found() const noexcept { return ship_ != nowhere && (shots_ >> ship_ & 1U) != 0; }
  int count() const noexcept { return __builtin_popcount(shots_); }
  bool sees_ship(int viewer) const { return ship_ != nowhere && (viewer == 0 || to_move() == 0); }

  std::uint16_t ship_ = nowhere;
  std::uint16_t shots_ = 0;  // bit i: cell i
};

}  // namespace
}  // namespace gamehub::engines

GAMEHUB_ENGINE(gamehub::engines::game);
