#include "engines/grid_game.hpp"

#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::engines {
namespace {

constexpr int width = 3;
constexpr int height = 2;

// Both players mark cells; the one who marks the last cell wins, unless it is in the upper row. It
// has no more than the base requires.
class last_cell : public grid_game<last_cell> {
 public:
  static constexpr description about{.id = "last-cell",
                                     .title = "Last Cell",
                                     .actions_max = width * height,
                                     .plies_max = width * height,
                                     .actions_end = width * height};

  grid board() const { return {height, width}; }
  int at(int cell) const noexcept {
    return marked_[0].has(cell) ? 0 : marked_[1].has(cell) ? 1 : no_seat;
  }
  int winner() const { return to_move() == 0 && last_ >= width ? 1 : no_seat; }

  seats to_move() const noexcept { return played() == width * height ? 0 : only(played() % 2); }

  reason apply(int seat, action a) noexcept {
    if (const reason why = refusal(a)) return why;
    marked_[seat == 0 ? 0 : 1].add(static_cast<int>(a));
    last_ = static_cast<std::uint64_t>(a);
    return nullptr;
  }

  void details(writer& out) const { out << R"(,"played":)" << played(); }

  bool valid() const {
    for (int cell = 0; cell < cell_set<width * height>::capacity; ++cell)
      if ((marked_[0].has(cell) && marked_[1].has(cell)) || (at(cell) != no_seat && cell >= 6))
        return false;
    const int ahead = marked_[0].count() - marked_[1].count();
    return (ahead == 0 || ahead == 1) && last_ < width * height;
  }

 private:
  int played() const noexcept { return marked_[0].count() + marked_[1].count(); }

  cell_set<width * height> marked_[2];
  std::uint64_t last_ = 0;
};

host::engine last_cell_engine() {
  return std::get<host::engine>(host::engine::adopt(&abi_adapter<last_cell>::table));
}

host::match after_cells(const std::vector<action>& cells) {
  auto m = std::get<host::match>(last_cell_engine().create(""));
  for (std::size_t i = 0; i < cells.size(); ++i)
    REQUIRE(m.apply(static_cast<int>(i % 2), cells[i]) == nullptr);
  return m;
}

TEST_CASE("grid_game: keeps the engine contract with what a class must define") {
  tests::check_engine_contract(last_cell_engine());
}

TEST_CASE("grid_game: the free cells can be marked, and no other") {
  auto m = after_cells({4, 0});
  std::vector<action> legal;
  m.legal_actions(0, legal);
  CHECK(legal == std::vector<action>{1, 2, 3, 5});
  CHECK(m.apply(0, 4) == std::string{"space-not-empty"});
  CHECK(m.apply(0, 6) == std::string{"out-of-bounds"});
  CHECK(m.apply(0, -1) == std::string{"out-of-bounds"});
  CHECK(m.at_cell(0, 5).value == 5);
  CHECK(m.at_cell(0, 6).reason == std::string{"out-of-bounds"});
  CHECK(m.cell_of(5) == 5);
}

TEST_CASE("grid_game: a move has its row and column, whatever else it has") {
  const auto m = after_cells({});
  CHECK(m.to_json(5) == R"({"type":"move","row":1,"column":2})");
  CHECK(m.from_json(0, R"({"column":2,"row":1,"more":[]})").value == 5);
  for (const char* text : {R"({"row":2,"column":0})", R"({"row":0,"column":3})", R"({"row":0})",
                           R"({"row":0,"column":"1"})", "[]", ""})
    CHECK(m.from_json(0, text).reason == std::string{"out-of-bounds"});
}

TEST_CASE("grid_game: the view has the board, the details of the class and the winner") {
  std::string view;
  after_cells({4, 0}).view_json(spectator, view);
  CHECK(view == R"({"board":[["O",null,null],[null,"X",null]],"played":2,"winner":null})");
  const auto won = after_cells({0, 1, 2, 3, 4, 5});
  won.view_json(spectator, view);
  CHECK(view == R"({"board":[["X","O","X"],["O","X","O"]],"played":6,"winner":"O"})");
  double scores[2];
  won.scores(scores);
  CHECK(scores[0] == -1);
  CHECK(scores[1] == 1);
  const auto drawn = after_cells({5, 4, 3, 2, 1, 0});
  drawn.scores(scores);
  CHECK(scores[0] == 0);
}

// Three players; a line of three wins. It has no valid().
class three_in_line : public grid_game<three_in_line, 3> {
 public:
  static constexpr description about{.id = "three-in-line",
                                     .title = "Three in a Line",
                                     .players_min = 3,
                                     .players_max = 3,
                                     .actions_max = 12,
                                     .plies_max = 12,
                                     .actions_end = 12};
  static constexpr const char* marks = "ABC";

  three_in_line() { marked_.fill(no_seat); }
  grid board() const { return {3, 4}; }
  int at(int cell) const noexcept { return marked_[static_cast<std::size_t>(cell)]; }
  int winner() const noexcept { return winner_; }
  seats to_move() const noexcept { return winner_ != no_seat || is_full() ? 0 : only(mover_); }
  reason apply(int seat, action cell) noexcept {
    if (const reason why = refusal(cell)) return why;
    marked_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(seat);
    mover_ = static_cast<std::uint8_t>((seat + 1) % 3);
    if (line_length(static_cast<int>(cell)) >= 3) winner_ = static_cast<std::uint8_t>(seat);
    return nullptr;
  }

 private:
  std::array<std::uint8_t, 12> marked_;
  std::uint8_t mover_ = 0, winner_ = no_seat;
};

TEST_CASE("grid_game: a game of three ends with a line in any direction, or a full board") {
  const auto rules =
      std::get<host::engine>(host::engine::adopt(&abi_adapter<three_in_line>::table));
  tests::check_engine_contract(rules);
  struct ending {
    std::vector<action> cells;
    int winner;  // 3: none
  };
  // A row, a column, both diagonals, and none. The last mark is at an end of the line or in its
  // middle.
  const ending table[] = {{{6, 0, 8, 7, 10, 11, 5}, 0},
                          {{8, 3, 1, 6, 11, 9, 4, 7}, 1},
                          {{8, 3, 6, 0, 5, 11, 9, 4, 1}, 2},
                          {{5, 9, 2, 8, 3, 0, 1, 6}, 1},
                          {{9, 5, 11, 4, 1, 6, 7, 8, 2, 10, 3, 0}, 3}};
  for (const auto& [cells, winner] : table) {
    auto m = std::get<host::match>(rules.create(""));
    for (std::size_t i = 0; i < cells.size(); ++i)
      REQUIRE(m.apply(static_cast<int>(i % 3), cells[i]) == nullptr);
    CHECK(m.over());
    double scores[3];
    m.scores(scores);
    for (int seat = 0; seat < 3; ++seat)
      CHECK(scores[seat] == (winner == 3 ? 0 : winner == seat ? 1 : -1));
  }
}

TEST_CASE("cell_set: has the cells that were added, over the edges of its words") {
  cell_set<130> odd, even;
  CHECK(cell_set<130>::capacity == 192);
  CHECK(sizeof odd == 24);
  for (int cell = 0; cell < 130; ++cell) (cell % 2 == 0 ? even : odd).add(cell);
  CHECK(odd.count() == 65);
  CHECK(odd.has(63));
  CHECK_FALSE(odd.has(64));
  odd.remove(63);
  odd.remove(129);
  CHECK(odd.count() == 63);
  std::vector<action> free(130);
  action_list list{free.data(), nullptr, free.size()};
  cell_set<130>::list_free(odd, even, 130, list);
  REQUIRE(list.size() == 2);
  CHECK(free[0] == 63);
  CHECK(free[1] == 129);
  action_list fewer{free.data(), nullptr, free.size()};
  cell_set<130>::list_free(odd, even, 129, fewer);
  CHECK(fewer.size() == 1);
}

}  // namespace
}  // namespace gamehub::engines
