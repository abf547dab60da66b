#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/played_match.hpp"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace gamehub::engines::battleship {
namespace {

using tests::legal;
using tests::mover;
using tests::play;
using tests::view;

// The ships of each player lie in the first rows, from the left: rows 1 to 5 of X, 6 to 10 of O.
constexpr const char* placed =
    "a1 e1 a2 d2 a3 c3 a4 c4 a5 b5 "
    "a6 e6 a7 d7 a8 c8 a9 c9 a10 b10";

host::match start() { return std::get<host::match>(tests::built_in("battleship").create("")); }

host::match after(const std::string& words) {
  auto m = start();
  REQUIRE(play(m, words).empty());
  return m;
}

// A row of the board, counted from 0.
std::string row(const host::match& m, int viewer, std::size_t number) {
  std::string out;
  m.glyphs(viewer, out);
  return out.substr(number * 21, 21);
}

TEST_CASE("battleship: keeps the engine contract, with its check that no secret is seen") {
  tests::check_engine_contract(tests::built_in("battleship"), {.playouts = 4});
}

TEST_CASE("battleship: a ship is placed by its two ends, unseen by the other player") {
  auto m = start();
  CHECK(play(m, "c1") == "");
  CHECK(legal(m) == "g1 c5");
  CHECK(view(m, 0).find(R"("placing":"carrier","first_cell":"c1","shot_at":null,"turn":0)") !=
        std::string::npos);
  CHECK(row(m, 0, 0) == "--X------------------");
  CHECK(play(m, "d1") == "d1: wrong-length");
  CHECK(play(m, "c1") == "c1: wrong-length");
  CHECK(play(m, "d5") == "d5: wrong-length");
  CHECK(play(m, "c5") == "");
  CHECK(row(m, 0, 4) == "--X------------------");
  CHECK(play(m, "c3") == "c3: space-not-empty");
  CHECK(play(m, "a3") == "");
  CHECK(play(m, "d3") == "d3: no-room");
  for (const int viewer : {1, spectator}) {
    CHECK(view(m, viewer).find('S') == std::string::npos);
    CHECK(view(m, viewer).find(R"("first_cell":null)") != std::string::npos);
    CHECK(row(m, viewer, 0) == "---------------------");
  }
  std::string summary;
  m.summary(summary);
  CHECK(summary == "Red places the battleship, which has 4 cells.");
  CHECK(m.audience(0, 0) == only(0));
}

// Counts the ways to place the next ship of the first player, by its two ends in either order. Adds
// those of the ship after it, for each.
void count_placements(const host::match& m, int ships, std::vector<int>& out) {
  if (ships == 0) return;
  std::vector<action> cells, ends;
  m.legal_actions(0, cells);
  for (const auto cell : cells) {
    auto begun = m.clone();
    REQUIRE(begun.apply(0, cell) == nullptr);
    begun.legal_actions(0, ends);
    for (const auto end : ends) {
      auto placed_ship = begun.clone();
      REQUIRE(placed_ship.apply(0, end) == nullptr);
      ++out[out.size() - static_cast<std::size_t>(ships)];
      count_placements(placed_ship, ships - 1, out);
    }
  }
}

// The cells of each way to place a ship: in two directions, 10 lines with 11 - length places each.
std::vector<std::bitset<100>> ways(std::size_t length) {
  std::vector<std::bitset<100>> out;
  for (std::size_t line = 0; line < 10; ++line)
    for (std::size_t from = 0; from + length <= 10; ++from) {
      auto& across = out.emplace_back();
      for (std::size_t i = from; i < from + length; ++i) across.set(line * 10 + i);
      auto& down = out.emplace_back();
      for (std::size_t i = from; i < from + length; ++i) down.set(i * 10 + line);
    }
  return out;
}

TEST_CASE("battleship: a carrier has 120 places, and a battleship those that it leaves") {
  std::vector<int> found(2);
  count_placements(start(), 2, found);
  const auto carriers = ways(5), battleships = ways(4);
  CHECK(carriers.size() == 120);
  CHECK(battleships.size() == 140);
  int both = 0;
  for (const auto& carrier : carriers)
    for (const auto& battleship : battleships) both += (carrier & battleship).none();
  CHECK(found == std::vector<int>{2 * 120, 4 * both});
}

TEST_CASE("battleship: a cell where the ship has no room is refused") {
  // Around a1 all is taken.
  auto corner = after("b1 b5 a2 a5 c1 c3 d1 d3");
  CHECK(play(corner, "a1") == "a1: no-room");
  CHECK(play(corner, "c4") == "");
  CHECK(legal(corner) == "d4 c5");
}

TEST_CASE("battleship: a shot is answered by its result, which all see") {
  auto m = after(placed);
  CHECK(m.to_move() == only(0));
  CHECK(play(m, "a6") == "");
  CHECK(m.at_chance());
  CHECK(legal(m) == "hit");
  CHECK(view(m, spectator).find(R"("shot_at":"a6","turn":0)") != std::string::npos);
  CHECK(play(m, "miss") == "miss: not-the-result");
  CHECK(row(m, spectator, 5) == "---------------------");
  CHECK(play(m, "hit") == "");
  CHECK(row(m, spectator, 5) == "-----------o---------");
  CHECK(row(m, 0, 5) == "-----------o---------");
  CHECK(row(m, 1, 5) == "-----------oOOOO-----");
  CHECK(m.to_move() == only(1));
  CHECK(play(m, "j10 miss") == "");
  CHECK(row(m, spectator, 9) == "---------O-----------");
  CHECK(m.audience(0, 0) == everyone);
  CHECK(play(m, "a6") == "a6: space-not-empty");
  std::vector<double> hits(2);
  m.score(hits);
  CHECK(hits == std::vector<double>{1, 0});
}

TEST_CASE("battleship: a ship is sunk by the last hit, a fleet by its last ship") {
  auto m = after(placed);
  CHECK(play(m, "a10 hit a1 hit b10 sunk-destroyer b1 hit") == "");
  CHECK(view(m, spectator).find(R"("sunk":[[],["destroyer"]])") != std::string::npos);
  for (const char* names : {"a6 b6 c6 d6 e6", "a7 b7 c7 d7", "a8 b8 c8", "a9 b9 c9"}) {
    std::istringstream all{names};
    for (std::string name; all >> name;) {
      REQUIRE(play(m, name) == "");
      REQUIRE(play(m, legal(m)) == "");
      if (m.over()) continue;
      // O misses in the last column and row.
      auto free = legal(m);
      free = free.substr(free.rfind(' ') + 1);
      REQUIRE(play(m, free + " miss") == "");
    }
  }
  CHECK(m.over());
  double scores[2];
  m.scores(scores);
  CHECK(scores[0] == 1);
  CHECK(scores[1] == -1);
  CHECK(view(m, spectator)
            .find(R"("sunk":[[],["carrier","battleship","cruiser","submarine","destroyer"]])") !=
        std::string::npos);
  CHECK(view(m, spectator).ends_with(R"("turn":null,"winner":0})"));
  // After the end everyone sees the ships that are left.
  CHECK(row(m, spectator, 1) == "XXXX-----------------");
}

TEST_CASE("battleship: a cell of the board is one of the own sea, then of the other") {
  auto m = start();
  CHECK(m.cells() == grid{10, 21});
  CHECK(m.at_cell(0, 21).value == 10);
  for (const int place : {10, 11, 20})
    CHECK(m.at_cell(0, place).reason == std::string{"not-in-this-sea"});
  CHECK(m.at_cell(0, 210).reason == std::string{"out-of-bounds"});
  CHECK(m.cell_of(10) == 21);
  m = after(placed);
  CHECK(m.at_cell(0, 32).value == 10);
  CHECK(m.at_cell(0, 0).reason == std::string{"not-in-this-sea"});
  CHECK(m.cell_of(10) == 32);
  REQUIRE(play(m, "a6") == "");
  CHECK(m.cell_of(m.from_text(chance, "hit").value) == 5 * 21 + 11);
}

TEST_CASE("battleship: reads cells and results as words") {
  const auto m = start();
  CHECK(m.from_text(0, "j10").value == 99);
  CHECK(m.to_text(99) == "j10");
  CHECK(m.to_json(13) == R"({"type":"move","action":"d2"})");
  CHECK(m.from_json(0, R"({"action":"d2"})").value == 13);
  for (const char* text : {"", "a", "1", "a0", "a01", "A1", "a1x", "sunk", "sunk-", "sunk-boat"})
    CHECK(m.from_text(0, text).reason == std::string{"malformed"});
  for (const char* text : {"k1", "a11", "z99"})
    CHECK(m.from_text(0, text).reason == std::string{"out-of-bounds"});
}

// How many shots a level needs for the fleet of O.
int shots_of(level skill, std::uint64_t seed) {
  auto m = start();
  std::uint64_t number = seed * 10'000;
  int shots = 0;
  while (!m.over()) {
    if (m.at_chance()) {
      REQUIRE(play(m, legal(m)).empty());
      continue;
    }
    const int seat = mover(m);
    const auto chosen = m.choose(seat, {seat == 0 ? skill : level::random, ++number, {}});
    REQUIRE(chosen);
    shots += seat == 0 ? 1 : 0;
    REQUIRE(m.apply(seat, *chosen) == nullptr);
  }
  return shots;
}

TEST_CASE("battleship: each level needs fewer shots than the one below it") {
  int all[3] = {};
  for (const auto skill : {level::random, level::medium, level::perfect})
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      all[static_cast<int>(skill)] += shots_of(skill, seed);
  CHECK(all[1] < all[0] * 85 / 100);
  CHECK(all[2] < all[1] * 90 / 100);
}

TEST_CASE("battleship: loads no position that breaks the rules") {
  // Two seas of 100 bytes, ships placed and cells afloat of each, first cell, shot, who shoots.
  const auto loads_with = [](std::size_t at, int byte) {
    auto m = after(std::string{placed} + " a6 hit j10 miss");
    auto bytes = m.save();
    REQUIRE(at < bytes.size());
    bytes[at] = static_cast<char>(byte);
    return tests::built_in("battleship").load(bytes).has_value();
  };
  CHECK(loads_with(0, 1));
  CHECK_FALSE(loads_with(0, 0));    // A part of the carrier is missing.
  CHECK_FALSE(loads_with(0, 2));    // It is one of the battleship.
  CHECK_FALSE(loads_with(5, 1));    // The carrier is too long.
  CHECK_FALSE(loads_with(0, 9));    // A shot too many.
  CHECK_FALSE(loads_with(0, 6));    // No such ship.
  CHECK_FALSE(loads_with(0, 17));   // No such bit.
  CHECK_FALSE(loads_with(200, 4));  // A ship that was not placed.
  CHECK_FALSE(loads_with(201, 6));
  CHECK_FALSE(loads_with(202, 16));  // Cells that were not hit.
  CHECK_FALSE(loads_with(203, 17));  // One that was.
  CHECK_FALSE(loads_with(204, 0));   // A ship is placed after all ships.
  CHECK(loads_with(205, 51));
  CHECK_FALSE(loads_with(205, 50));  // A second shot at the same cell.
  CHECK_FALSE(loads_with(205, 100));
  CHECK_FALSE(loads_with(206, 1));  // The other shoots.
  CHECK_FALSE(loads_with(206, 2));
}

TEST_CASE("battleship: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("battleship"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/battleship/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::battleship
