#include "engines/dice.hpp"
#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/played_match.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gamehub::engines::othello {
namespace {

using tests::board;
using tests::mover;
using tests::view;

host::match start() { return std::get<host::match>(tests::built_in("othello").create("")); }

// The cell of a name such as "e6": the column, then the row from the top.
action cell(std::string_view name) { return (name[1] - '1') * 8 + (name[0] - 'a'); }

// Plays cells by name, for the player to move.
host::match after(const std::vector<const char*>& names) {
  host::match m = start();
  for (const char* name : names) {
    INFO(name);
    REQUIRE(m.apply(mover(m), cell(name)) == nullptr);
  }
  return m;
}

// A position from its picture and who is to move, as saved bytes.
std::optional<host::match> position(std::string_view cells, std::uint64_t moves) {
  std::uint64_t discs[2] = {};
  for (std::size_t i = 0; i < 64; ++i)
    for (const int seat : {0, 1})
      if (cells[i] == "XO"[seat]) discs[seat] |= std::uint64_t{1} << i;
  std::string bytes;
  for (const auto word : {discs[0], discs[1], moves})
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  return tests::built_in("othello").load(bytes);
}

TEST_CASE("othello: keeps the engine contract") {
  tests::check_engine_contract(tests::built_in("othello"), {.playouts = 5});
}

TEST_CASE("othello: has as many games of each length as are known") {
  // The counts of Aart Bik. No pass is possible within these plies, so skipping it changes none.
  const std::vector<std::uint64_t> known{1, 4, 12, 56, 244, 1396, 8200, 55092, 390216};
  CHECK(tests::games_of_each_length(tests::built_in("othello"), 8) == known);
}

TEST_CASE("othello: turns over what is enclosed, and shows it") {
  const host::match m = after({"d3", "c3", "c4"});
  CHECK(board(m) ==
        "--------"
        "--------"
        "--OX----"
        "--XXX---"
        "---XO---"
        "--------"
        "--------"
        "--------");
  CHECK(view(m).find(R"("discs":[5,2],"turn":"O","winner":null})") != std::string::npos);
}

TEST_CASE("othello: refuses what turns nothing over") {
  host::match m = start();
  const auto before = m.hash();
  CHECK(m.apply(0, cell("a1")) == std::string{"turns-nothing-over"});
  CHECK(m.apply(0, cell("d4")) == std::string{"space-not-empty"});
  CHECK(m.apply(0, 64) == std::string{"out-of-bounds"});
  CHECK(m.apply(1, cell("d3")) == std::string{"not-your-turn"});
  CHECK(m.hash() == before);
}

TEST_CASE("othello: ends if neither player can move, on a board that is not full") {
  // The shortest game that there is.
  const host::match m = after({"e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"});
  CHECK(m.over());
  CHECK(board(m).find('O') == std::string::npos);
  double scores[2];
  m.scores(scores);
  CHECK(scores[0] == 1);
  CHECK(scores[1] == -1);
  CHECK(view(m).find(R"("turn":null,"winner":"X"})") != std::string::npos);
}

TEST_CASE("othello: passes for who can turn nothing over, and goes on") {
  auto m = position(
      "-OXXXXXX"
      "--------"
      "--------"
      "---XX---"
      "---XX---"
      "--------"
      "--------"
      "-OXXXXXX",
      0);
  REQUIRE(m);
  REQUIRE(m->apply(0, cell("a1")) == nullptr);
  CHECK(m->to_move() == only(0));
  CHECK(view(*m).find(R"("turn":"X")") != std::string::npos);
  CHECK(m->apply(1, cell("a8")) == std::string{"not-your-turn"});
  REQUIRE(m->apply(0, cell("a8")) == nullptr);
  CHECK(m->over());
}

// The cells of a direction that a disc turns over, walked one by one.
std::vector<int> enclosed(const std::string& cells, char own, int from, int down, int right) {
  std::vector<int> out;
  for (int row = from / 8 + down, column = from % 8 + right;
       row >= 0 && row < 8 && column >= 0 && column < 8; row += down, column += right) {
    const char c = cells[static_cast<std::size_t>(row * 8 + column)];
    if (c == '-') break;
    if (c == own) return out;
    out.push_back(row * 8 + column);
  }
  return {};
}

// The board after a disc, or nothing if it turns nothing over.
std::string placed(std::string cells, char own, int at) {
  if (cells[static_cast<std::size_t>(at)] != '-') return {};
  std::vector<int> turned;
  for (const int down : {-1, 0, 1})
    for (const int right : {-1, 0, 1})
      for (const int c : enclosed(cells, own, at, down, right)) turned.push_back(c);
  if (turned.empty()) return {};
  turned.push_back(at);
  for (const int c : turned) cells[static_cast<std::size_t>(c)] = own;
  return cells;
}

bool can_move(const std::string& cells, char own) {
  for (int at = 0; at < 64; ++at)
    if (!placed(cells, own, at).empty()) return true;
  return false;
}

TEST_CASE("othello: goes as if every line were walked cell by cell") {
  rng d{tests::seed_of_this_run()};
  INFO("GAMEHUB_SEED=" << tests::seed_of_this_run());
  int passes = 0;
  for (int game = 0; game < 300; ++game) {
    host::match m = start();
    while (!m.over()) {
      const auto before = board(m);
      const int seat = mover(m);
      const char own = "XO"[seat];
      const char other = "OX"[seat];
      std::vector<action> legal, walked;
      m.legal_actions(seat, legal);
      for (int at = 0; at < 64; ++at)
        if (!placed(before, own, at).empty()) walked.push_back(at);
      REQUIRE(legal == walked);
      const auto a = d.one_of(legal);
      REQUIRE(m.apply(seat, a) == nullptr);
      const auto now = board(m);
      REQUIRE(now == placed(before, own, static_cast<int>(a)));
      const bool answered = can_move(now, other);
      const bool goes_on = answered || can_move(now, own);
      REQUIRE(m.to_move() == (answered ? only(1 - seat) : goes_on ? only(seat) : 0));
      passes += !answered && goes_on;
    }
  }
  CHECK(passes > 0);
}

TEST_CASE("othello: is drawn where both have as many discs") {
  std::string half(32, 'X');
  const auto m = position(half + std::string(32, 'O'), 2);
  REQUIRE(m);
  double scores[2] = {9, 9};
  m->scores(scores);
  CHECK(scores[0] == 0);
  CHECK(scores[1] == 0);
  CHECK(view(*m).find(R"("discs":[32,32],"turn":null,"winner":null})") != std::string::npos);
}

TEST_CASE("othello: loads no position that breaks the rules") {
  const auto usual = board(start());
  CHECK(position(usual, 0));
  CHECK(position(usual, 1));
  CHECK_FALSE(position(usual, 2));  // Over, though both can move.
  CHECK_FALSE(position(usual, 3));
  auto hollow = usual;
  hollow[27] = '-';
  CHECK_FALSE(position(hollow, 0));
  CHECK_FALSE(position(std::string(64, 'X'), 0));  // To move, and cannot.
  auto bytes = start().save();
  bytes[8] = static_cast<char>(0xff);
  bytes[0] = static_cast<char>(0xff);
  CHECK_FALSE(tests::built_in("othello").load(bytes));  // Two discs in one cell.
}

TEST_CASE("othello: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("othello"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/othello/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::othello
