#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <set>
#include <string>
#include <vector>

namespace gamehub::engines::connect_four {
namespace {

host::match start() { return std::get<host::match>(tests::built_in("connect-four").create("")); }

int mover(const host::match& m) { return m.to_move() == only(0) ? 0 : 1; }

host::match after(std::string_view columns) {
  host::match m = start();
  for (const char c : columns) REQUIRE(m.apply(mover(m), c - '0') == nullptr);
  return m;
}

std::string board(const host::match& m) {
  std::string out;
  m.glyphs(spectator, out);
  return out;
}

TEST_CASE("connect_four: keeps the engine contract") {
  tests::check_engine_contract(tests::built_in("connect-four"), {.playouts = 15});
}

TEST_CASE("connect_four: has as many games of each length as are known") {
  std::vector<std::uint64_t> known{1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234};
  if (tests::sanitized) known.resize(7);
  const auto moves = static_cast<int>(known.size()) - 1;
  CHECK(tests::games_of_each_length(tests::built_in("connect-four"), moves) == known);
}

TEST_CASE("connect_four: has as many positions of each size as are known") {
  // The counts of John Tromp.
  std::vector<std::size_t> known{1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275};
  if (tests::sanitized) known.resize(7);
  const auto rules = tests::built_in("connect-four");
  std::set<std::string> positions{start().save()};
  std::vector<action> legal;
  for (const auto size : known) {
    CHECK(positions.size() == size);
    std::set<std::string> next;
    for (const auto& bytes : positions) {
      const auto m = rules.load(bytes);
      REQUIRE(m);
      m->legal_actions(mover(*m), legal);
      for (const auto a : legal) {
        host::match child = m->clone();
        child.apply(mover(*m), a);
        next.insert(child.save());
      }
    }
    positions.swap(next);
  }
}

TEST_CASE("connect_four: drops marks to the bottom, and shows the top row first") {
  CHECK(board(after("3340")) ==
        "-------"
        "-------"
        "-------"
        "-------"
        "---O---"
        "O--XX--");
}

TEST_CASE("connect_four: sees four in a line in each direction") {
  for (const char* columns : {"4243464", "6133524", "44201423433", "42123521311"}) {
    INFO(columns);
    const host::match m = after(columns);
    REQUIRE(m.over());
    double scores[2];
    m.scores(scores);
    CHECK(scores[0] == 1);
    CHECK(scores[1] == -1);
    std::string view;
    m.view_json(spectator, view);
    CHECK(view.find(R"(]],"winner":"X"})") != std::string::npos);
  }
}

TEST_CASE("connect_four: sees no line that runs over from one column into the next") {
  // X has the three top cells of the first column and the lowest of the second.
  const host::match m = after("0000005");
  CHECK_FALSE(m.over());
}

TEST_CASE("connect_four: ends in a draw when the board is full") {
  const host::match m = after("436014551150160155104632660465204242223333");
  INFO(board(m));
  CHECK(board(m).find('-') == std::string::npos);
}

// Both players' cells as they are saved: 49 bits each, seven a column.
bool loads(std::uint64_t x, std::uint64_t o) {
  std::string bytes;
  for (const auto set : {x, o}) bytes.append(reinterpret_cast<const char*>(&set), sizeof set);
  return tests::built_in("connect-four").load(bytes).has_value();
}

TEST_CASE("connect_four: loads no position that breaks the rules") {
  CHECK(loads(0, 0));
  CHECK(loads(1, 2));
  CHECK(loads(1 | 4, 2));
  CHECK_FALSE(loads(2, 0));                       // Hangs in the air.
  CHECK_FALSE(loads(1, 1));                       // Two marks in one cell.
  CHECK_FALSE(loads(1 | 2, 0));                   // X moved twice.
  CHECK_FALSE(loads(0, 1));                       // O began.
  CHECK_FALSE(loads(0b0101010, 0b1010101));       // Above the column.
  CHECK_FALSE(loads(std::uint64_t{1} << 49, 0));  // Beside the board.
  const std::uint64_t row = 1 | 1 << 7 | 1 << 14 | 1 << 21;
  CHECK(loads(row, row << 1 & ~(std::uint64_t{1} << 22)));
  CHECK_FALSE(loads(row, row << 1));  // O moved on after X had won.
}

TEST_CASE("connect_four: takes any cell for its column") {
  const host::match m = after("3");
  for (std::int64_t cell = 0; cell < 42; ++cell) {
    const auto found = m.at_cell(1, cell);
    CHECK(found.reason == nullptr);
    CHECK(found.value == cell % 7);
  }
  CHECK(m.at_cell(1, 42).reason == std::string{"out-of-bounds"});
  CHECK(m.at_cell(1, -1).reason == std::string{"out-of-bounds"});
  CHECK(m.cell_of(3) == 31);
  CHECK(m.cell_of(0) == 35);
}

TEST_CASE("connect_four: refuses a full column") {
  host::match m = after("000000");
  const auto column = m.from_json(0, R"({"type":"move","column":0})");
  REQUIRE(column.reason == nullptr);
  CHECK(m.apply(0, column.value) == std::string{"space-not-empty"});
  CHECK(m.cell_of(0) == -1);
  for (const char* bad : {R"({"column":7})", R"({"column":-1})", R"({"column":0.5})", "{}", "3"})
    CHECK(m.from_json(0, bad).reason == std::string{"out-of-bounds"});
}

TEST_CASE("connect_four: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("connect-four"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/connect_four/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::connect_four
