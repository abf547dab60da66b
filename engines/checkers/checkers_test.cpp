#include "engines/dice.hpp"
#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/played_match.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace gamehub::engines::checkers {
namespace {

using tests::board;
using tests::mover;

host::match start() { return std::get<host::match>(tests::built_in("checkers").create("")); }

// The cell of a name such as "c6": the column, then the row from the top.
action cell(std::string_view name) { return (name[1] - '1') * 8 + (name[0] - 'a'); }

// Plays cells by name, for the player to move. Returns the first refusal with its cell, or "".
std::string play(host::match& m, const std::string& names) {
  std::istringstream all{names};
  for (std::string name; all >> name;)
    if (const char* why = m.apply(mover(m), cell(name))) return name + ": " + why;
  return {};
}

std::string legal(const host::match& m) {
  std::vector<action> all;
  m.legal_actions(mover(m), all);
  std::string out;
  for (const auto a : all) {
    if (!out.empty()) out += ' ';
    out += static_cast<char>('a' + a % 8);
    out += static_cast<char>('1' + a / 8);
  }
  return out;
}

struct situation {
  int moves = 0;
  int quiet = 0;
  int from = 32;
  int jumping = 0;
  int result = 2;
};

// A position from its picture, as saved bytes.
std::optional<host::match> position(std::string_view picture, situation s = {}) {
  std::uint32_t words[3] = {};
  for (int square = 0; square < 32; ++square) {
    const int row = square / 4;
    const char c = picture[static_cast<std::size_t>(row * 8 + square % 4 * 2 + 1 - row % 2)];
    if (c == '-') continue;
    const auto bit = std::uint32_t{1} << square;
    words[std::toupper(c) == 'X' ? 0 : 1] |= bit;
    if (std::islower(c) != 0) words[2] |= bit;
  }
  std::string bytes{reinterpret_cast<const char*>(words), sizeof words};
  for (const int each : {s.moves, s.from, s.jumping, s.quiet, s.result, 0, 0, 0})
    bytes += static_cast<char>(each);
  return tests::built_in("checkers").load(bytes);
}

host::match begin(std::string_view picture, situation s = {}) {
  auto m = position(picture, s);
  REQUIRE(m);
  return std::move(*m);
}

TEST_CASE("checkers: keeps the engine contract") {
  tests::check_engine_contract(tests::built_in("checkers"), {.playouts = 5});
}

// Counts the turns, each of which is a choice and one or several moves of a piece.
std::uint64_t turns(const host::match& m, int depth) {
  if (depth == 0) return 1;
  std::vector<action> all;
  const int seat = mover(m);
  if (!m.over()) m.legal_actions(seat, all);
  std::uint64_t out = 0;
  for (const auto a : all) {
    host::match next = m.clone();
    next.apply(seat, a);
    const bool goes_on = next.to_move() == only(seat);
    out += turns(next, goes_on ? depth : depth - 1);
  }
  return out;
}

TEST_CASE("checkers: has as many games of each length as are known") {
  // The counts of Aart Bik, "Computing deep perft and divide numbers for checkers".
  const std::vector<std::uint64_t> known{1, 7, 49, 302, 1469, 7361, 36768, 179740};
  const int depth_max = tests::sanitized ? 5 : 7;
  for (int depth = 0; depth <= depth_max; ++depth)
    CHECK(turns(start(), depth) == known[static_cast<std::size_t>(depth)]);
}

TEST_CASE("checkers: a turn is the choice of a piece and its way") {
  auto m = start();
  CHECK(legal(m) == "a6 c6 e6 g6");
  CHECK(play(m, "b7") == "b7: piece-can-not-move");
  CHECK(play(m, "b3") == "b3: not-your-piece");
  CHECK(play(m, "c6 c5") == "c5: out-of-reach");
  CHECK(legal(m) == "b5 d5");
  CHECK(m.to_move() == only(0));
  CHECK(play(m, "b7") == "b7: space-not-empty");
  CHECK(play(m, "b5") == "");
  CHECK(m.to_move() == only(1));
  std::string view;
  m.view_json(spectator, view);
  CHECK(view.ends_with(R"(,"turn":"O","chosen":null,"quiet":0,"winner":null})"));
  CHECK(play(m, "d3") == "");
  m.view_json(spectator, view);
  CHECK(view.ends_with(R"(,"turn":"O","chosen":19,"quiet":0,"winner":null})"));
}

TEST_CASE("checkers: who can capture must, and chooses which") {
  constexpr auto picture =
      "--------"
      "--------"
      "---O----"
      "--X-X---"
      "--------"
      "------O-"
      "---X----"
      "--------";
  auto m = begin(picture, {});
  CHECK(legal(m) == "c4 e4");
  auto other = begin(picture, {.moves = 1});
  CHECK(legal(other) == "d3");
  CHECK(play(other, "g6") == "g6: must-capture");
  CHECK(play(other, "d3") == "");
  CHECK(legal(other) == "b5 f5");
  CHECK(play(other, "b5") == "");
  CHECK(board(other).substr(16, 24) ==
        "--------"
        "----X---"
        "-O------");
}

TEST_CASE("checkers: a capture goes on as long as the piece can jump") {
  auto m = begin(
      "--------"
      "--O-----"
      "--------"
      "--O-O---"
      "---X----"
      "--------"
      "--------"
      "X-------");
  CHECK(legal(m) == "d5");
  CHECK(play(m, "d5") == "");
  CHECK(legal(m) == "b3 f3");
  CHECK(play(m, "b3") == "");
  CHECK(m.to_move() == only(0));
  CHECK(legal(m) == "d1");
  CHECK(play(m, "a8") == "a8: space-not-empty");
  CHECK(play(m, "d1") == "");
  CHECK(m.to_move() == only(1));
  // The man that has reached the last row is a king.
  CHECK(board(m).substr(0, 8) == "---x----");
  std::vector<double> score(2);
  m.score(score);
  CHECK(score == std::vector<double>{2, 1});
}

TEST_CASE("checkers: a turn ends when a man becomes a king, and a king goes back") {
  auto m = begin(
      "--------"
      "--O-O---"
      "-X------"
      "--------"
      "--------"
      "--------"
      "--------"
      "--------");
  CHECK(play(m, "b3 d1") == "");
  // As a king it could jump from d1 over e2.
  CHECK(m.to_move() == only(1));
  CHECK(play(m, "e2 f3") == "");
  CHECK(play(m, "d1") == "");
  CHECK(legal(m) == "c2 e2");
}

TEST_CASE("checkers: a man captures forward only, a king in all directions") {
  CHECK(legal(begin("--------"
                    "--------"
                    "--------"
                    "----X---"
                    "---O----"
                    "--------"
                    "--------"
                    "--------")) == "e4");
  auto m = begin(
      "--------"
      "--------"
      "--------"
      "----x---"
      "---O-O--"
      "--------"
      "--------"
      "--------");
  CHECK(play(m, "e4") == "");
  CHECK(legal(m) == "c6 g6");
}

TEST_CASE("checkers: who cannot move has lost") {
  auto blocked = begin(
      "--------"
      "--------"
      "--------"
      "--------"
      "---X----"
      "--------"
      "-------O"
      "------X-");
  CHECK(play(blocked, "d5 c4") == "");
  CHECK(blocked.over());
  auto last = begin(
      "--------"
      "----O---"
      "---X----"
      "--------"
      "--------"
      "--------"
      "--------"
      "--------");
  CHECK(play(last, "d3 f1") == "");
  CHECK(last.over());
  std::string view;
  last.view_json(spectator, view);
  CHECK(view.ends_with(R"("turn":null,"chosen":null,"quiet":0,"winner":"X"})"));
  double scores[2];
  last.scores(scores);
  CHECK(scores[0] == 1);
  CHECK(scores[1] == -1);
}

TEST_CASE("checkers: 80 turns of kings without a capture are a draw") {
  const auto picture =
      "---x----"
      "--------"
      "--------"
      "--------"
      "--------"
      "--------"
      "--------"
      "--o---o-";
  auto m = begin(picture, {.quiet = 78});
  CHECK(play(m, "d1 c2") == "");
  CHECK_FALSE(m.over());
  CHECK(play(m, "c8 b7") == "");
  CHECK(m.over());
  double scores[2] = {9, 9};
  m.scores(scores);
  CHECK(scores[0] == 0);
  CHECK(scores[1] == 0);
  std::string view;
  m.view_json(spectator, view);
  CHECK(view.ends_with(R"("quiet":80,"winner":null})"));
}

TEST_CASE("checkers: loads no position that breaks the rules") {
  const auto usual = board(start());
  CHECK(position(usual));
  CHECK(position(usual, {.moves = 1}));
  CHECK(position(usual, {.from = 20}));
  CHECK_FALSE(position(usual, {.moves = 2}));
  CHECK_FALSE(position(usual, {.quiet = 81}));
  CHECK_FALSE(position(usual, {.quiet = 80}));               // Would be a draw.
  CHECK_FALSE(position(usual, {.from = 24}));                // A piece that can't move.
  CHECK_FALSE(position(usual, {.from = 33}));                // Off the board.
  CHECK_FALSE(position(usual, {.from = 20, .jumping = 1}));  // It can't jump.
  CHECK_FALSE(position(usual, {.jumping = 1}));
  CHECK_FALSE(position(usual, {.result = 0}));
  CHECK_FALSE(position(usual, {.result = 3}));
  auto men = usual;
  men[35] = 'X';
  CHECK_FALSE(position(men));  // Thirteen of a player.
  auto uncrowned = usual;
  uncrowned[1] = 'X';
  uncrowned[40] = '-';
  CHECK_FALSE(position(uncrowned));  // A man on its last row.
}

TEST_CASE("checkers: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("checkers"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/checkers/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::checkers
