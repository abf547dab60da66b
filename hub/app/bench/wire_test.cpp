#include "hub/app/bench/wire.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace gamehub::app::bench {
namespace {

using namespace std::string_literals;
using kind = told::kind;

std::vector<told> heard(const wire& w, const std::string& bytes, std::size_t left = 0) {
  std::vector<told> out;
  CHECK(w.read(bytes, out) == bytes.size() - left);
  return out;
}

std::vector<kind> kinds(const std::vector<told>& all) {
  std::vector<kind> out;
  for (const auto& t : all) out.push_back(t.what);
  return out;
}

TEST_CASE("opcodes wire: asks and moves in the documented bytes") {
  std::string out;
  opcodes().greet(1, out);
  opcodes().move(0, 8, out);
  opcodes().again(out);
  CHECK(out == "\0\1\0\2\x08\0\1"s);
}

TEST_CASE("opcodes wire: reads tokens, states, ends and errors, and leaves what is unfinished") {
  // What was told refers to the bytes it was read from.
  const auto bytes = "\0\4X\0\3----X----\x2d\0\3XXXOO----X\0\5\0\5Taken.\0\0\3--"s;
  const auto all = heard(opcodes(), bytes, 4);
  REQUIRE(kinds(all) == std::vector{kind::token, kind::state, kind::turn, kind::state, kind::over,
                                    kind::refused});
  CHECK(all[0].mark == 'X');
  CHECK(all[1].board == board{}.with(4));
  CHECK(all[3].end == ending::x_won);
  CHECK(all[5].text == "Taken.");
}

TEST_CASE("opcodes wire: a full board without a winner is a draw") {
  const auto all = heard(opcodes(), "\0\3XOXXOOOXX-"s);
  REQUIRE(all.size() == 2);
  CHECK(all[0].end == ending::draw);
  CHECK(all[1].what == kind::over);
}

TEST_CASE("opcodes wire: what the hub never sends is refused") {
  CHECK(kinds(heard(opcodes(), "\0\7abc"s)) == std::vector{kind::refused});
}

TEST_CASE("turns wire: connects and moves in the documented lines") {
  std::string out;
  turns().greet(5, out);
  turns().again(out);
  turns().move(12, 5, out);
  CHECK(out ==
        R"({"type":"connect","name":null,"supported_games":["tictactoe"],"max_games":5})"
        "\n"
        R"({"type":"message","game_id":12,"payload":"{\"type\":\"move\",\"row\":1,\"column\":2}"})"
        "\n");
}

TEST_CASE("turns wire: reads whole games by their numbers, and leaves what is unfinished") {
  const auto all = heard(
      turns(),
      R"({"type":"name","name":"client-1","secret":"5"})"
      "\n"
      R"({"type":"start","game_id":3})"
      "\n"
      R"({"type":"message","game_id":3,"payload":"{\"type\":\"state\",\"board\":[[\"X\",null,null],[null,\"O\",null],[null,null,null]],\"winner\":null}"})"
      "\n"
      R"({"type":"message","game_id":3,"payload":"{\"type\":\"turn\"}"})"
      "\n"
      R"({"type":"message","game_id":3,"payload":"{\"type\":\"state\",\"board\":[[\"X\",\"X\",\"X\"],[\"O\",\"O\",null],[null,null,null]],\"winner\":\"X\"}"})"
      "\n"
      R"({"type":"close","game_id":3})"
      "\n{",
      1);
  REQUIRE(kinds(all) == std::vector{kind::welcome, kind::started, kind::state, kind::turn,
                                    kind::state, kind::over});
  CHECK(all[1].game == 3);
  CHECK(all[2].board == board{}.with(0).with(4));
  CHECK(all[2].end == ending::none);
  CHECK(all[4].end == ending::x_won);
  CHECK(all[5].game == 3);
}

TEST_CASE("turns wire: a move that the hub asks to repeat is refused") {
  const auto all = heard(
      turns(),
      R"({"type":"message","game_id":0,"payload":"{\"type\":\"repeat-turn\",\"error\":\"space-not-empty\",\"last-move\":null}"})"
      "\n");
  CHECK(kinds(all) == std::vector{kind::refused});
}

TEST_CASE("wires are found by name") {
  CHECK(find_wire("opcodes") == &opcodes());
  CHECK(find_wire("turns") == &turns());
  CHECK(find_wire("udp") == nullptr);
}

}  // namespace
}  // namespace gamehub::app::bench
