#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <bit>
#include <string>
#include <vector>

namespace gamehub::engines::dots_and_boxes {
namespace {

host::engine rules() { return tests::built_in("dots-and-boxes"); }

constexpr const char* smallest = R"({"rows":2,"columns":2})";

host::match start(const char* options = smallest, int players = 3) {
  return std::get<host::match>(rules().create(options, players));
}

// Plays words, each for the seat that is to move.
host::match after(const std::vector<const char*>& words) {
  host::match m = start();
  for (const char* word : words) {
    const int seat = std::countr_zero(m.to_move());
    const auto read = m.from_text(seat, word);
    INFO(word);
    REQUIRE(read.reason == nullptr);
    REQUIRE(m.apply(seat, read.value) == nullptr);
  }
  return m;
}

std::string view(const host::match& m) {
  std::string out;
  m.view_json(spectator, out);
  return out;
}

std::vector<double> scores(const host::match& m) {
  std::vector<double> out(static_cast<std::size_t>(m.players()));
  m.scores(out);
  return out;
}

TEST_CASE("dots_and_boxes: keeps the engine contract") {
  tests::check_engine_contract(rules(), {.options_json = smallest, .playouts = 20});
  tests::check_engine_contract(rules(),
                               {.options_json = R"({"rows":3,"columns":5})", .playouts = 5});
}

TEST_CASE("dots_and_boxes: begins without lines") {
  CHECK(view(start()) ==
        R"({"horizontal":[[0,0],[0,0],[0,0]],"vertical":[[0,0,0],[0,0,0]],)"
        R"("boxes":[[null,null],[null,null]],"points":[0,0,0],"mover":0,"winner":null})");
  std::vector<action> legal;
  start("").legal_actions(0, legal);
  CHECK(legal.size() == 40);
  start(R"({"rows":8,"columns":8})", 5).legal_actions(0, legal);
  CHECK(legal.size() == 144);
}

TEST_CASE("dots_and_boxes: the players draw in turn, and who closes a box draws again") {
  const auto m = after({"h:0:0", "v:0:0", "v:0:1"});
  CHECK(m.to_move() == only(0));
  const auto closed = after({"h:0:0", "v:0:0", "v:0:1", "h:1:0"});
  CHECK(closed.to_move() == only(0));
  CHECK(view(closed) ==
        R"({"horizontal":[[1,0],[1,0],[0,0]],"vertical":[[1,1,0],[0,0,0]],)"
        R"("boxes":[[0,null],[null,null]],"points":[1,0,0],"mover":0,"winner":null})");
  CHECK(after({"h:0:0", "v:0:0", "v:0:1", "h:1:0", "h:2:1"}).to_move() == only(1));
}

TEST_CASE("dots_and_boxes: one line can close two boxes") {
  const auto m = after({"h:0:0", "v:0:0", "h:1:0", "h:0:1", "h:1:1", "v:0:2", "h:2:0", "v:0:1"});
  CHECK(m.to_move() == only(1));
  CHECK(view(m).find(R"("boxes":[[1,1],[null,null]],"points":[0,2,0])") != std::string::npos);
}

TEST_CASE("dots_and_boxes: who has the most boxes wins") {
  const auto m = after({"h:0:0", "v:0:0", "h:1:0", "h:0:1", "h:1:1", "v:0:2", "h:2:0", "v:0:1",
                        "v:1:0", "v:1:1", "v:1:2", "h:2:1"});
  REQUIRE(m.over());
  CHECK(view(m).find(R"("boxes":[[1,1],[2,0]],"points":[1,2,1],"mover":null,"winner":1)") !=
        std::string::npos);
  CHECK(scores(m) == std::vector<double>{-0.25, 0.25, -0.25});
}

TEST_CASE("dots_and_boxes: no player wins if two have the most boxes") {
  const auto m = after({"h:0:0", "v:0:0", "h:1:0", "h:0:1", "h:1:1", "v:0:2", "h:2:0", "v:0:1",
                        "v:1:2", "v:1:0", "v:1:1", "h:2:1"});
  REQUIRE(m.over());
  CHECK(view(m).find(R"("points":[2,2,0],"mover":null,"winner":null)") != std::string::npos);
  CHECK(scores(m) == std::vector<double>{0, 0, -0.5});
}

TEST_CASE("dots_and_boxes: reads lines as words and as JSON") {
  const auto m = start();
  for (const char* text : {"", "h", "h:0", "x:0:0", "h-0-0", "h:0:00", "h:a:0", "h:0:/"})
    CHECK(m.from_text(0, text).reason == std::string{"malformed"});
  for (const char* text : {"h:3:0", "h:0:2", "v:2:0", "v:0:3", "h:9:9"})
    CHECK(m.from_text(0, text).reason == std::string{"out-of-bounds"});
  const auto last = m.from_text(0, "v:1:2").value;
  CHECK(last == 11);
  CHECK(m.to_json(last) == R"({"type":"move","action":"v:1:2"})");
  CHECK(m.from_json(0, R"({"action":"v:1:2"})").value == last);
}

TEST_CASE("dots_and_boxes: refuses a line that is drawn") {
  host::match m = after({"h:0:0"});
  CHECK(m.apply(1, 0) == std::string{"line-is-drawn"});
  CHECK(m.apply(1, 12) == std::string{"out-of-bounds"});
  CHECK(m.apply(0, 1) == std::string{"not-your-turn"});
}

// The saved bytes of a match in which one byte is another.
bool loads_with(const host::match& m, std::size_t at, char byte) {
  auto bytes = m.save();
  REQUIRE(at < bytes.size());
  bytes[at] = byte;
  return rules().load(bytes).has_value();
}

TEST_CASE("dots_and_boxes: loads no position that breaks the rules") {
  // 18 bytes of lines, 64 owners, rows, columns, players, the seat to move.
  const auto m = start();
  CHECK(loads_with(m, 0, 1));
  CHECK_FALSE(loads_with(m, 1, 0x10));  // the line 12
  CHECK_FALSE(loads_with(m, 18, 1));    // a box that is not closed
  CHECK_FALSE(loads_with(m, 18 + 63, 1));
  CHECK_FALSE(loads_with(m, 82, 1));
  CHECK_FALSE(loads_with(m, 83, 9));
  CHECK_FALSE(loads_with(m, 84, 2));
  CHECK(loads_with(m, 84, 5));
  CHECK_FALSE(loads_with(m, 85, 3));
  const auto closed = after({"h:0:0", "v:0:0", "v:0:1", "h:1:0"});
  CHECK(loads_with(closed, 18, 3));
  CHECK_FALSE(loads_with(closed, 18, 4));
  CHECK_FALSE(loads_with(closed, 18, 0));
}

TEST_CASE("dots_and_boxes: plays the game that is kept beside it") {
  const auto now = tests::playthrough(rules(), 1, smallest);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/dots_and_boxes/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::dots_and_boxes
