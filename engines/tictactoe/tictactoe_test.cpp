#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <climits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gamehub::engines::tictactoe {
namespace {

host::match start() { return std::get<host::match>(tests::built_in("tictactoe").create("")); }

// Requires: the cells can be played, in this order.
host::match after(const std::vector<action>& cells) {
  host::match m = start();
  for (std::size_t i = 0; i < cells.size(); ++i)
    REQUIRE(m.apply(static_cast<int>(i % 2), cells[i]) == nullptr);
  return m;
}

int mover(const host::match& m) { return m.to_move() == only(0) ? 0 : 1; }

std::string view(const host::match& m) {
  std::string out;
  m.view_json(spectator, out);
  return out;
}

struct census {
  int games = 0;
  int won_by_x = 0;
  int won_by_o = 0;
  std::set<std::string> positions;
};

void count(const host::match& m, census& out) {
  out.positions.insert(m.save());
  if (m.over()) {
    double scores[2];
    m.scores(scores);
    ++out.games;
    out.won_by_x += scores[0] == 1;
    out.won_by_o += scores[1] == 1;
    return;
  }
  std::vector<action> legal;
  m.legal_actions(mover(m), legal);
  for (const auto a : legal) {
    host::match next = m.clone();
    next.apply(mover(m), a);
    count(next, out);
  }
}

TEST_CASE("tictactoe: keeps the engine contract") {
  tests::check_engine_contract(tests::built_in("tictactoe"));
}

TEST_CASE("tictactoe: has as many games and positions as are known") {
  census all;
  count(start(), all);
  CHECK(all.games == 255168);
  CHECK(all.won_by_x == 131184);
  CHECK(all.won_by_o == 77904);
  CHECK(all.positions.size() == 5478);
}

TEST_CASE("tictactoe: loads exactly the positions that the rules reach") {
  const auto rules = tests::built_in("tictactoe");
  int loaded = 0;
  // Both sets of cells, one bit wider than the board each.
  for (unsigned x = 0; x < 1024; ++x)
    for (unsigned o = 0; o < 1024; ++o) {
      const char bytes[4] = {static_cast<char>(x), static_cast<char>(x >> 8), static_cast<char>(o),
                             static_cast<char>(o >> 8)};
      loaded += rules.load({bytes, sizeof bytes}).has_value();
    }
  CHECK(loaded == 5478);
}

TEST_CASE("tictactoe: shows the board as rows of X, O and null") {
  CHECK(view(start()) ==
        R"({"board":[[null,null,null],[null,null,null],[null,null,null]],"winner":null})");
  CHECK(view(after({4, 0, 2})) ==
        R"({"board":[["O",null,"X"],[null,"X",null],[null,null,null]],"winner":null})");
}

TEST_CASE("tictactoe: names the winner, and no winner after a draw") {
  const host::match won = after({0, 3, 1, 4, 2});
  CHECK(view(won) == R"({"board":[["X","X","X"],["O","O",null],[null,null,null]],"winner":"X"})");
  CHECK(won.over());
  const host::match lost = after({0, 3, 1, 4, 8, 5});
  CHECK(view(lost) == R"({"board":[["X","X",null],["O","O","O"],[null,null,"X"]],"winner":"O"})");
  double scores[2];
  lost.scores(scores);
  CHECK(scores[0] == -1);
  CHECK(scores[1] == 1);
  const host::match drawn = after({0, 1, 2, 4, 3, 5, 7, 6, 8});
  CHECK(drawn.over());
  CHECK(view(drawn) == R"({"board":[["X","O","X"],["X","O","O"],["O","X","X"]],"winner":null})");
}

TEST_CASE("tictactoe: reads a move by row and column, whatever its type") {
  const host::match m = start();
  CHECK(m.from_json(0, R"({"type":"move","row":1,"column":2})").value == 5);
  CHECK(m.from_json(0, R"({"column":0,"row":2})").value == 6);
  CHECK(m.from_json(0, R"({"type":7,"row":0,"column":1,"more":[{}]})").value == 1);
  CHECK(m.to_json(5) == R"({"type":"move","row":1,"column":2})");
}

TEST_CASE("tictactoe: calls every cell off the board out of bounds") {
  const host::match m = after({0});
  for (const char* row : {"-1", "3", "1.5", "0.0", "1e0", "\"1\"", "null", "true", "[]", "{}",
                          "99999999999999999999", "-99999999999999999999", "4294967296"}) {
    INFO(row);
    const auto by_row = std::string{R"({"row":)"} + row + R"(,"column":0})";
    const auto by_column = std::string{R"({"column":)"} + row + R"(,"row":0})";
    CHECK(m.from_json(1, by_row).reason == std::string{"out-of-bounds"});
    CHECK(m.from_json(1, by_column).reason == std::string{"out-of-bounds"});
  }
  for (const char* text : {"", "4", "[1,2]", "null", "{}", R"({"row":1})", R"({"column":1})", "{",
                           R"({"row":1,"column":1}x)"}) {
    INFO(text);
    CHECK(m.from_json(1, text).reason == std::string{"out-of-bounds"});
  }
  // Bounds come before emptiness: this row is off the board, though the column's first cell is
  // taken.
  CHECK(m.from_json(1, R"({"row":9,"column":0})").reason == std::string{"out-of-bounds"});
  CHECK(m.from_text(1, "9").reason == std::string{"out-of-bounds"});
  CHECK(m.from_text(1, "4.5").reason == std::string{"out-of-bounds"});
  CHECK(m.from_text(1, "-1").reason == std::string{"out-of-bounds"});
  CHECK(m.from_text(1, "four").reason == std::string{"malformed"});
}

TEST_CASE("tictactoe: has an action for a taken cell and refuses it") {
  host::match m = after({4});
  const auto taken = m.from_json(1, R"({"row":1,"column":1})");
  REQUIRE(taken.reason == nullptr);
  const auto before = m.hash();
  CHECK(m.apply(1, taken.value) == std::string{"space-not-empty"});
  CHECK(m.apply(0, 0) == std::string{"not-your-turn"});
  CHECK(m.apply(1, 9) == std::string{"out-of-bounds"});
  CHECK(m.hash() == before);
  host::match done = after({0, 3, 1, 4, 2});
  CHECK(done.apply(1, 8) == std::string{"game-over"});
}

// How many seeds it takes to see every choice of a player among nine. With 1/9 for each, a choice
// that never comes up in as many is not one.
constexpr std::uint64_t seeds = 128;

std::set<action> choices(const host::match& m, level skill) {
  std::set<action> out;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    out.insert(*m.choose(mover(m), {skill, seed, {}}));
  return out;
}

// What a position is worth to X if both play their best, solved without the engine's own solution:
// its rules are asked. Above 0 X wins, and more so the sooner.
int worth(const host::match& m, std::map<std::string, int>& known) {
  if (m.over()) {
    double scores[2];
    m.scores(scores);
    std::string board;
    m.glyphs(spectator, board);
    const auto left = static_cast<int>(std::count(board.begin(), board.end(), '-'));
    return scores[0] == 0 ? 0 : scores[0] > 0 ? 1 + left : -1 - left;
  }
  const auto [at, is_new] = known.emplace(m.save(), 0);
  if (!is_new) return at->second;
  const int sign = mover(m) == 0 ? 1 : -1;
  int best = INT_MIN;
  std::vector<action> legal;
  m.legal_actions(mover(m), legal);
  for (const auto a : legal) {
    host::match next = m.clone();
    next.apply(mover(m), a);
    best = std::max(best, sign * worth(next, known));
  }
  return at->second = sign * best;
}

struct record_of_games {
  int games = 0, lost = 0, missed = 0;
  std::set<std::string> seen;
};

// Lets the player play one seat, with every choice that it has, against everything that the other
// can do. A position is gone through once.
void challenge(const host::match& m, int seat, std::map<std::string, int>& known,
               record_of_games& out) {
  if (m.over()) {
    double scores[2];
    m.scores(scores);
    ++out.games;
    out.lost += scores[seat] < 0;
    return;
  }
  if (!out.seen.insert(m.save()).second) return;
  std::set<action> moves;
  std::vector<action> legal;
  m.legal_actions(mover(m), legal);
  if (mover(m) == seat)
    moves = choices(m, level::perfect);
  else
    moves.insert(legal.begin(), legal.end());
  for (const auto a : moves) {
    host::match next = m.clone();
    REQUIRE(next.apply(mover(m), a) == nullptr);
    // A win in hand is a win kept, by the shortest way.
    if (mover(m) == seat && worth(next, known) != worth(m, known)) ++out.missed;
    challenge(next, seat, known, out);
  }
}

TEST_CASE("tictactoe: its player never loses, whichever of its choices it takes") {
  CHECK(tests::built_in("tictactoe").player_immediate());
  std::map<std::string, int> known;
  for (const int seat : {0, 1}) {
    record_of_games all;
    challenge(start(), seat, known, all);
    CHECK(all.games > 300);
    CHECK(all.lost == 0);
    CHECK(all.missed == 0);
  }
}

TEST_CASE("tictactoe: its player varies among all that is equally good, in every position") {
  std::map<std::string, int> known;
  worth(start(), known);
  const auto rules = tests::built_in("tictactoe");
  for (const auto& [bytes, value] : known) {
    const auto m = rules.load(bytes);
    REQUIRE(m);
    std::set<action> best;
    std::vector<action> legal;
    m->legal_actions(mover(*m), legal);
    for (const auto a : legal) {
      host::match next = m->clone();
      next.apply(mover(*m), a);
      if (worth(next, known) == value) best.insert(a);
    }
    if (choices(*m, level::perfect) != best) FAIL_CHECK(view(*m));
  }
  CHECK(choices(start(), level::perfect).size() == 9);
}

TEST_CASE("tictactoe: its player wins at once where it can") {
  // Cell 2 completes the top row; cell 8 would win too, but only a move later.
  CHECK(choices(after({0, 3, 1, 4}), level::perfect) == std::set<action>{2});
  CHECK(choices(after({0, 3, 1, 4, 8}), level::perfect) == std::set<action>{5});
}

TEST_CASE("tictactoe: its medium player sees lines, but no further") {
  CHECK(choices(after({0, 3, 1, 4}), level::medium) == std::set<action>{2});
  CHECK(choices(after({0, 4, 1}), level::medium) == std::set<action>{2});
  // Against two corners only the sides hold.
  const host::match forked = after({0, 4, 8});
  CHECK(choices(forked, level::perfect) == std::set<action>{1, 3, 5, 7});
  CHECK(choices(forked, level::medium) == std::set<action>{1, 2, 3, 5, 6, 7});
}

TEST_CASE("tictactoe: its random player plays anything, the same for the same seed") {
  const host::match m = after({0, 3, 1, 4});
  CHECK(choices(m, level::random) == std::set<action>{2, 5, 6, 7, 8});
  CHECK(m.choose(0, {level::random, 3, {}}) == m.choose(0, {level::random, 3, {}}));
}

TEST_CASE("tictactoe: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("tictactoe"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/tictactoe/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::tictactoe
