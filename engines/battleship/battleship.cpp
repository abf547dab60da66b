// Battleship: each player hides five ships, then both shoot in turn at what they cannot see. The
// example of hidden cells on both sides. The result of a shot is a separate action, which chance
// takes as a referee without a choice: so what a viewer sees follows from the actions that it
// knows.
#include "engines/dice.hpp"
#include "engines/plugin.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace gamehub::engines::battleship {

namespace {

constexpr int side = 10;
constexpr int cells = side * side;
constexpr std::uint8_t none = 0xff;

struct ship {
  std::string_view name;
  int length;
};
constexpr std::array<ship, 5> fleet{
    {{"carrier", 5}, {"battleship", 4}, {"cruiser", 3}, {"submarine", 3}, {"destroyer", 2}}};
constexpr int fleet_cells = 5 + 4 + 3 + 3 + 2;
constexpr auto ships = static_cast<int>(fleet.size());

constexpr const ship& ship_of(int number) { return fleet[static_cast<std::size_t>(number)]; }

// A cell has the numbers 0 to 99 in the sea of either player. Then come the results of a shot.
constexpr action miss = cells;
constexpr action hit = cells + 1;
constexpr action sunk_begin = cells + 2;
constexpr action actions_end = sunk_begin + ships;

// The board shows the sea of X, a column that stays free, and the sea of O.
constexpr int board_columns = 2 * side + 1;
constexpr int place_of(int sea, int cell) {
  return cell / side * board_columns + cell % side + sea * (side + 1);
}

// A cell has the number of its ship, from 1 on, or 0; and a bit if it was shot at.
constexpr std::uint8_t ship_bits = 7;
constexpr std::uint8_t shot_bit = 8;

// Cells in a row: the first one, the way to the next one, how many.
struct line {
  int first;
  int step;
  int length;

  int at(int i) const { return first + i * step; }
  // True if all its cells are on the board. The step is 1 or `side`.
  bool fits() const {
    return step == 1 ? first % side + length <= side : first / side + length <= side;
  }
};

// The line between two ends, or one of length 0 if they are not in a row or column.
constexpr line between(int a, int b) {
  const int first = std::min(a, b);
  const int last = std::max(a, b);
  if (first / side == last / side) return {first, 1, last - first + 1};
  if (first % side == last % side) return {first, side, (last - first) / side + 1};
  return {first, 1, 0};
}

void write_cell(int cell, writer& out) {
  out << static_cast<char>('a' + cell % side) << cell / side + 1;
}

}  // namespace

class game {
 public:
  static constexpr description about{.id = "battleship",
                                     .title = "Battleship",
                                     .perfect_information = false,
                                     .has_chance = true,
                                     .actions_max = cells,
                                     .plies_max = 4 * ships + 4 * cells};
  static constexpr face_description face{
      .blurb = "Hide a fleet. Find the other one.",
      .rules =
          {"Each player has a sea of ten by ten cells, which the other one cannot see: red the "
           "left "
           "one, blue the right one. First red places five ships in it, then blue: a carrier of "
           "five cells, a battleship of four, a cruiser and a submarine of three, and a destroyer "
           "of two. For each ship choose its first and its last cell, in a row or a column.",
           "Then the players take turns and shoot at a cell of the other sea; red begins. Both "
           "learn whether the shot was a miss or a hit, and which ship it sank.",
           "The player who sinks all ships of the other one wins."},
      .board = "squares",
      .pieces = {"disc", "ringed-disc", "struck-disc", "struck-ringed-disc"},
      .marks = {"Red", "Blue", "Red ship, hit", "Blue ship, hit"},
      .actions = {{"miss", "A miss"},
                  {"hit", "A hit"},
                  {"sunk-carrier", "The carrier is sunk"},
                  {"sunk-battleship", "The battleship is sunk"},
                  {"sunk-cruiser", "The cruiser is sunk"},
                  {"sunk-submarine", "The submarine is sunk"},
                  {"sunk-destroyer", "The destroyer is sunk"}},
      .score_label = "hits",
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
              R"(<path d="M3 15h18l-3 5H6zM7 15v-4h10v4M11 11V5h3v6" fill="currentColor"/>)"
              R"(<path d="M2 22c2-1.5 3-1.5 5 0 2-1.5 3-1.5 5 0 2-1.5 3-1.5 5 0 2-1.5 3-1.5 5 0"/>)"
              R"(</svg>)"};
  static constexpr const char* marks = "XO";
  static constexpr bool immediate = true;

  seats to_move() const noexcept {
    if (is_placing()) return only(placing_seat());
    if (is_over()) return 0;
    return aim_ != none ? only(chance) : only(mover_);
  }

  void legal_actions(int seat, action_list& out) const {
    if (seat == chance) return out.add(result());
    for (int cell = 0; cell < cells; ++cell)
      if (wrong_with(seat, cell) == nullptr) out.add(cell);
  }

  reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= actions_end) return reasons::out_of_bounds;
    if (seat == chance) {
      if (a != result()) return "not-the-result";
      take_shot();
      return nullptr;
    }
    if (a >= cells) return reasons::out_of_bounds;
    const int cell = static_cast<int>(a);
    if (const reason why = wrong_with(seat, cell)) return why;
    if (!is_placing())
      aim_ = static_cast<std::uint8_t>(cell);
    else if (bow_ == none)
      bow_ = static_cast<std::uint8_t>(cell);
    else
      place(seat, between(bow_, cell));
    return nullptr;
  }

  // Only its player may know where a ship is. Shots and their results are public.
  seats audience(int seat, action) const {
    return is_placing() && seat != chance ? only(seat) : everyone;
  }

  void scores(std::span<double> out) const {
    out[0] = afloat_[1] == 0 ? 1 : afloat_[0] == 0 ? -1 : 0;
    out[1] = -out[0];
  }

  // The hits of each player.
  void score(std::span<double> out) const {
    out[0] = fleet_cells - afloat_[1];
    out[1] = fleet_cells - afloat_[0];
  }

  void summary(writer& out) const {
    if (is_over()) return;
    const auto name = [](int seat) { return seat == 0 ? "Red" : "Blue"; };
    if (is_placing())
      out << name(placing_seat()) << " places the " << next_ship().name << ", which has "
          << next_ship().length << " cells.";
    else
      out << name(mover_) << (aim_ == none ? " shoots next." : " has shot.");
  }

  // "b4" is a cell: its column, then its row from the top.
  reason from_text(int, std::string_view text, action& out) const {
    for (action a = miss; a < actions_end; ++a) {
      if (!is_result_text(text, a)) continue;
      out = a;
      return nullptr;
    }
    if (text.size() < 2 || text.size() > 3 || text[0] < 'a' || text[0] > 'z' || text[1] == '0')
      return reasons::malformed;
    int row = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + 1, end, row);
    if (read.ec != std::errc{} || read.ptr != end || row < 1) return reasons::malformed;
    if (row > side || text[0] >= 'a' + side) return reasons::out_of_bounds;
    out = (row - 1) * side + (text[0] - 'a');
    return nullptr;
  }

  void to_text(action a, writer& out) const {
    if (a < cells)
      write_cell(static_cast<int>(a), out);
    else if (a < sunk_begin)
      out << (a == miss ? "miss" : "hit");
    else
      out << "sunk-" << ship_of(static_cast<int>(a - sunk_begin)).name;
  }

  // By seat its sea, row by row, as far as the viewer may know it: S is a ship, H a hit, M a miss;
  // and the ships that are sunk. Then the ship to place, its first cell if the viewer chose it, and
  // the cell that was shot at without a result yet.
  void view(int viewer, writer& out) const {
    out << R"({"seas":[)";
    for (int sea = 0; sea < 2; ++sea) write_sea(viewer, sea, out);
    out << R"(],"sunk":[)";
    for (int sea = 0; sea < 2; ++sea) write_sunk(sea, out);
    out << R"(],"placing":)";
    if (is_placing())
      out << '"' << next_ship().name << '"';
    else
      out << "null";
    out << R"(,"first_cell":)";
    write_cell_or_null(is_placing() && viewer == placing_seat() ? bow_ : none, out);
    out << R"(,"shot_at":)";
    write_cell_or_null(aim_, out);
    out << R"(,"turn":)";
    if (is_placing())
      out << placing_seat();
    else if (is_over())
      out << "null";
    else
      out << mover_;
    out << R"(,"winner":)";
    if (is_over())
      out << (afloat_[1] == 0 ? 0 : 1);
    else
      out << "null";
    out << '}';
  }

  grid board() const { return {side, board_columns}; }

  // A hit has the mark of the ship's player as a small letter, a miss the mark of who shot.
  char glyph(int viewer, int place) const {
    const int column = place % board_columns;
    if (column == side) return GAMEHUB_BLANK;
    const int sea = column < side ? 0 : 1;
    const int cell = place / board_columns * side + column - sea * (side + 1);
    switch (seen(viewer, sea, cell)) {
      case 'S': return marks[sea];
      case 'H': return sea == 0 ? 'x' : 'o';
      case 'M': return marks[1 - sea];
      default: return GAMEHUB_BLANK;
    }
  }

  reason action_at(int seat, std::int64_t place, action& out) const {
    if (place < 0 || place >= side * board_columns) return reasons::out_of_bounds;
    const auto column = static_cast<int>(place % board_columns);
    const int sea = is_placing() ? seat : 1 - seat;
    const int first = sea == 0 ? 0 : side + 1;
    if (column < first || column >= first + side) return "not-in-this-sea";
    out = place / board_columns * side + column - first;
    return nullptr;
  }

  // A result belongs to the cell of its shot.
  std::int64_t cell_of(action a) const {
    if (is_placing()) return a < cells ? place_of(placing_seat(), static_cast<int>(a)) : -1;
    if (a < cells) return place_of(1 - mover_, static_cast<int>(a));
    return aim_ != none ? place_of(1 - mover_, aim_) : -1;
  }

  reason choose(int seat, const play_style& style, action& out) const;

  bool valid() const {
    if (mover_ > 1 || placed_[0] > ships || placed_[1] > ships ||
        (placed_[0] < ships && placed_[1] > 0))
      return false;
    int shots[2] = {};
    for (int sea = 0; sea < 2; ++sea)
      if (!has_valid_sea(sea, shots[sea])) return false;
    if (afloat_[mover_ == 0 ? 1 : 0] == 0) return false;  // The winner is not to move.
    if (shots[1] != shots[0] + mover_) return false;
    if (is_placing()) {
      const int seat = placing_seat();
      const bool fits = bow_ == none || (bow_ < cells && can_begin(seat, bow_));
      return fits && mover_ == 0 && shots[0] == 0 && aim_ == none;
    }
    if (bow_ != none) return false;
    return aim_ == none || (aim_ < cells && !is_over() && !is_shot(1 - mover_, aim_));
  }

 private:
  using sea_cells = std::array<std::uint8_t, cells>;

  const sea_cells& sea(int seat) const noexcept { return seas_[static_cast<std::size_t>(seat)]; }
  std::uint8_t at(int seat, int cell) const { return sea(seat)[static_cast<std::size_t>(cell)]; }
  int ship_at(int seat, int cell) const { return at(seat, cell) & ship_bits; }
  bool is_shot(int seat, int cell) const { return (at(seat, cell) & shot_bit) != 0; }

  bool is_placing() const noexcept { return placed_[1] < ships; }
  int placing_seat() const noexcept { return placed_[0] < ships ? 0 : 1; }
  const ship& next_ship() const { return ship_of(placed_[placing_seat() == 0 ? 0 : 1]); }
  bool is_over() const noexcept { return afloat_[0] == 0 || afloat_[1] == 0; }

  bool is_sunk(int seat, int number) const {
    for (int cell = 0; cell < cells; ++cell)
      if (ship_at(seat, cell) == number + 1 && !is_shot(seat, cell)) return false;
    return number < placed_[seat == 0 ? 0 : 1];
  }

  reason wrong_with(int seat, int cell) const {
    if (!is_placing()) return is_shot(1 - seat, cell) ? reasons::space_not_empty : nullptr;
    if (ship_at(seat, cell) != 0) return reasons::space_not_empty;
    if (bow_ == none) return can_begin(seat, cell) ? nullptr : "no-room";
    const line l = between(bow_, cell);
    if (l.length != next_ship().length) return "wrong-length";
    return is_free(seat, l) ? nullptr : "no-room";
  }

  bool is_free(int seat, const line& l) const {
    for (int i = 0; i < l.length; ++i)
      if (ship_at(seat, l.at(i)) != 0) return false;
    return true;
  }

  // True if the next ship of the seat can end in the cell.
  bool can_begin(int seat, int cell) const {
    const int length = next_ship().length;
    for (const int step : {1, side})
      for (const int first : {cell, cell - (length - 1) * step}) {
        const line l{first, step, length};
        const bool is_same_line = step == side || (first >= 0 && first / side == cell / side);
        if (first >= 0 && is_same_line && l.fits() && is_free(seat, l)) return true;
      }
    return false;
  }

  void place(int seat, const line& l) {
    auto& placed = placed_[seat == 0 ? 0 : 1];
    ++placed;
    for (int i = 0; i < l.length; ++i)
      seas_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(l.at(i))] = placed;
    bow_ = none;
  }

  // Requires: a shot waits for its result.
  action result() const {
    const int target = 1 - mover_;
    const int number = ship_at(target, aim_) - 1;
    if (number < 0) return miss;
    for (int cell = 0; cell < cells; ++cell)
      if (cell != aim_ && ship_at(target, cell) == number + 1 && !is_shot(target, cell)) return hit;
    return sunk_begin + number;
  }

  void take_shot() {
    const std::size_t target = mover_ == 0 ? 1 : 0;
    auto& cell = seas_[target][aim_];
    if ((cell & ship_bits) != 0) --afloat_[target];
    cell = static_cast<std::uint8_t>(cell | shot_bit);
    aim_ = none;
    mover_ = static_cast<std::uint8_t>(target);
  }

  // S, H, M, or - for what the viewer may not know and for water.
  char seen(int viewer, int seat, int cell) const {
    const bool is_ship = ship_at(seat, cell) != 0;
    if (is_shot(seat, cell)) return is_ship ? 'H' : 'M';
    const bool is_bow = is_placing() && seat == placing_seat() && cell == bow_;
    return (is_ship || is_bow) && (viewer == seat || is_over()) ? 'S' : '-';
  }

  void write_sea(int viewer, int seat, writer& out) const {
    out << (seat == 0 ? "[" : ",[");
    for (int cell = 0; cell < cells; ++cell) {
      if (cell % side == 0) out << (cell == 0 ? "\"" : "\",\"");
      out << seen(viewer, seat, cell);
    }
    out << "\"]";
  }

  void write_sunk(int seat, writer& out) const {
    out << (seat == 0 ? "[" : ",[");
    bool is_first = true;
    for (int number = 0; number < ships; ++number) {
      if (!is_sunk(seat, number)) continue;
      out << (is_first ? "\"" : ",\"") << ship_of(number).name << '"';
      is_first = false;
    }
    out << ']';
  }

  static void write_cell_or_null(int cell, writer& out) {
    if (cell == none) {
      out << "null";
      return;
    }
    out << '"';
    write_cell(cell, out);
    out << '"';
  }

  static bool is_result_text(std::string_view text, action a) {
    if (a == miss) return text == "miss";
    if (a == hit) return text == "hit";
    return text.starts_with("sunk-") &&
           text.substr(5) == ship_of(static_cast<int>(a - sunk_begin)).name;
  }

  // The ships are whole and in line, and as many cells are afloat as were not hit.
  bool has_valid_sea(int seat, int& shots) const {
    int hits = 0;
    for (const auto each : sea(seat)) {
      if (each > (ship_bits | shot_bit) || (each & ship_bits) > ships) return false;
      if ((each & shot_bit) == 0) continue;
      ++shots;
      hits += (each & ship_bits) != 0 ? 1 : 0;
    }
    for (int number = 0; number < ships; ++number)
      if (!is_whole(seat, number)) return false;
    return afloat_[static_cast<std::size_t>(seat)] == fleet_cells - hits;
  }

  bool is_whole(int seat, int number) const {
    int first = none, last = none, count = 0;
    for (int cell = 0; cell < cells; ++cell) {
      if (ship_at(seat, cell) != number + 1) continue;
      if (count++ == 0) first = cell;
      last = cell;
    }
    if (number >= placed_[static_cast<std::size_t>(seat)]) return count == 0;
    const line l = count == 0 ? line{0, 1, 0} : between(first, last);
    if (l.length != ship_of(number).length || count != l.length) return false;
    for (int i = 0; i < l.length; ++i)
      if (ship_at(seat, l.at(i)) != number + 1) return false;
    return true;
  }

  int open_hits(int target) const;
  std::array<int, cells> weights(int target) const;

  std::array<sea_cells, 2> seas_{};
  std::array<std::uint8_t, 2> placed_{};  // The ships of each player that are placed.
  std::array<std::uint8_t, 2> afloat_{fleet_cells, fleet_cells};  // Cells that were not hit.
  std::uint8_t bow_ = none;  // The first cell of the ship that is being placed.
  std::uint8_t aim_ = none;  // The cell that was shot at, until the result is known.
  std::uint8_t mover_ = 0;
};

// The hits that belong to no ship that is sunk.
int game::open_hits(int target) const {
  int out = fleet_cells - afloat_[static_cast<std::size_t>(target)];
  for (int number = 0; number < ships; ++number)
    if (is_sunk(target, number)) out -= ship_of(number).length;
  return out;
}

// The weight of each cell of a sea that was not shot at: the number of ways in which a ship that
// is not sunk can lie over it, as far as the results of the shots tell. If some hits belong to no
// ship that is sunk, only ships over hits count, and more so the more hits they explain.
std::array<int, cells> game::weights(int target) const {
  const int hits_left = open_hits(target);
  const auto is_hit = [&](int cell) { return is_shot(target, cell) && ship_at(target, cell) != 0; };
  std::array<int, cells> out{};
  for (int number = 0; number < ships; ++number) {
    if (is_sunk(target, number)) continue;
    for (int first = 0; first < cells; ++first)
      for (const int step : {1, side}) {
        const line l{first, step, ship_of(number).length};
        if (!l.fits()) continue;
        int hits = 0;
        bool is_possible = true;
        for (int i = 0; i < l.length && is_possible; ++i) {
          const bool is_known_hit = is_hit(l.at(i));
          hits += is_known_hit ? 1 : 0;
          is_possible = !is_shot(target, l.at(i)) || (is_known_hit && hits_left > 0);
        }
        if (!is_possible || (hits_left > 0 && hits == 0)) continue;
        for (int i = 0; i < l.length; ++i)
          if (!is_shot(target, l.at(i))) out[static_cast<std::size_t>(l.at(i))] += 1 << 4 * hits;
      }
  }
  return out;
}

// Places ships at random. Shoots where a ship is most likely; at the level medium only at ships
// that it has hit, else at random.
reason game::choose(int seat, const play_style& style, action& out) const {
  std::array<action, cells> all{};
  action_list list{all.data(), nullptr, all.size()};
  legal_actions(seat, list);
  rng dice{style.seed};
  out = all[dice.below(list.size())];
  if (is_placing() || style.skill == level::random) return nullptr;
  if (style.skill == level::medium && open_hits(1 - seat) == 0) return nullptr;
  const auto weight = weights(1 - seat);
  const auto most = *std::max_element(weight.begin(), weight.end());
  std::size_t equal = 0;
  for (std::size_t cell = 0; cell < weight.size(); ++cell)
    if (weight[cell] == most && !is_shot(1 - seat, static_cast<int>(cell)) &&
        dice.below(++equal) == 0)
      out = static_cast<action>(cell);
  return nullptr;
}

}  // namespace gamehub::engines::battleship

GAMEHUB_ENGINE(gamehub::engines::battleship::game);
