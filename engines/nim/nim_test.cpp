#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solver.hpp"

#include <string>
#include <vector>

namespace gamehub::engines::nim {
namespace {

host::match start(std::string_view options = "") {
  return std::get<host::match>(tests::built_in("nim").create(options));
}

std::string view(const host::match& m) {
  std::string out;
  m.view_json(spectator, out);
  return out;
}

// Plays words, the players in turn.
host::match after(std::string_view options, const std::vector<const char*>& words) {
  host::match m = start(options);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int seat = static_cast<int>(i % 2);
    const auto read = m.from_text(seat, words[i]);
    INFO(words[i]);
    REQUIRE(read.reason == nullptr);
    REQUIRE(m.apply(seat, read.value) == nullptr);
  }
  return m;
}

double score(const host::match& m, int seat) {
  double scores[2];
  m.scores(scores);
  return scores[seat];
}

TEST_CASE("nim: keeps the engine contract") {
  const auto rules = tests::built_in("nim");
  tests::check_engine_contract(rules, {.playouts = 30});
  for (const char* options : {R"({"heaps":1})", R"({"heaps":8})", R"({"last":"loses"})"})
    tests::check_engine_contract(rules, {.options_json = options, .playouts = 10});
}

TEST_CASE("nim: begins with heaps of one, three, five and so on") {
  CHECK(view(start()) == R"({"heaps":[1,3,5,7],"last":"wins","winner":null})");
  CHECK(view(start(R"({"heaps":2,"last":"loses"})")) ==
        R"({"heaps":[1,3],"last":"loses","winner":null})");
  std::vector<action> legal;
  start(R"({"heaps":8})").legal_actions(0, legal);
  CHECK(legal.size() == 64);
}

TEST_CASE("nim: who takes the last object wins, or in misère play loses") {
  const auto normal = after(R"({"heaps":2})", {"1:3", "0:1"});
  REQUIRE(normal.over());
  CHECK(score(normal, 0) == -1);
  CHECK(score(normal, 1) == 1);
  CHECK(view(normal) == R"({"heaps":[0,0],"last":"wins","winner":1})");
  const auto misere = after(R"({"heaps":2,"last":"loses"})", {"1:3", "0:1"});
  CHECK(score(misere, 0) == 1);
  CHECK(score(misere, 1) == -1);
  CHECK(view(misere) == R"({"heaps":[0,0],"last":"loses","winner":0})");
}

TEST_CASE("nim: refuses more than a heap holds") {
  host::match m = after("", {"3:5"});
  CHECK(m.apply(1, m.from_text(1, "3:3").value) == std::string{"too-few-objects"});
  CHECK(m.apply(1, m.from_text(1, "3:2").value) == nullptr);
  CHECK(m.apply(0, 3 * 16 + 1) == std::string{"too-few-objects"});
}

TEST_CASE("nim: reads a move as a word and as JSON") {
  const host::match m = start();
  CHECK(m.from_text(0, "2:4").value == m.from_json(0, R"({"heap":2,"take":4})").value);
  const auto a = m.from_text(0, "2:4").value;
  CHECK(m.to_text(a) == "2:4");
  CHECK(m.to_json(a) == R"({"type":"move","heap":2,"take":4})");
  for (const char* text : {"2", ":", "2:", ":4", "2:x", "x:2", "2: 4", "-1:2", "2:4:1", "2:+4"})
    CHECK(m.from_text(0, text).reason == std::string{"malformed"});
  for (const char* text : {"4:1", "2:0", "2:6", "0:16", "99999999999999999999:1"})
    CHECK(m.from_text(0, text).reason == std::string{"out-of-bounds"});
  for (const char* json : {"{}", R"({"heap":4,"take":1})", R"({"heap":0,"take":2})",
                           R"({"heap":0})", R"({"heap":"0","take":1})"})
    CHECK(m.from_json(0, json).reason == std::string{"out-of-bounds"});
}

// Charles Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 1901:
// the player to move loses where the exclusive or of the heaps is 0; in misère play the same, but
// where no heap has more than one object it is 1.
bool lost_by_bouton(const std::vector<int>& heaps, bool last_loses) {
  int sum = 0;
  bool is_large = false;
  for (const int n : heaps) {
    sum ^= n;
    is_large = is_large || n > 1;
  }
  return last_loses && !is_large ? sum == 1 : sum == 0;
}

TEST_CASE("nim: each position of four heaps is won and lost as Bouton's theory has it") {
  for (const bool last_loses : {false, true}) {
    const std::string options = last_loses ? R"({"last":"loses"})" : "";
    const auto rules = tests::built_in("nim");
    tests::solver all;
    int positions = 0;
    for (int n = 1; n < 2 * 4 * 6 * 8; ++n) {
      const std::vector<int> heaps{n % 2, n / 2 % 4, n / 8 % 6, n / 48};
      auto m = std::get<host::match>(rules.create(options));
      // The objects that are missing were taken by the players in turn.
      int seat = 0;
      for (int heap = 0; heap < 4; ++heap)
        if (const int taken = 2 * heap + 1 - heaps[static_cast<std::size_t>(heap)]; taken > 0) {
          REQUIRE(m.apply(seat, heap * 16 + taken) == nullptr);
          seat = 1 - seat;
        }
      INFO(view(m));
      CHECK((all.value(m) == (seat == 0 ? 1 : -1)) != lost_by_bouton(heaps, last_loses));
      ++positions;
    }
    CHECK(positions == 383);
  }
}

TEST_CASE("nim: has no cells") {
  const auto rules = tests::built_in("nim");
  CHECK_FALSE(rules.has_cells());
  CHECK(start().at_cell(0, 0).reason == std::string{"out-of-bounds"});
}

// The saved bytes of a new match in which one byte is another.
bool loads_with(std::size_t at, char byte) {
  auto bytes = start().save();
  REQUIRE(at < bytes.size());
  bytes[at] = byte;
  return tests::built_in("nim").load(bytes).has_value();
}

TEST_CASE("nim: loads no position that breaks the rules") {
  // Eight heaps, then how many of them there are, who is to move and what the last object does.
  CHECK(loads_with(3, 0));
  CHECK_FALSE(loads_with(3, 8));
  CHECK_FALSE(loads_with(4, 1));
  CHECK_FALSE(loads_with(8, 0));
  CHECK_FALSE(loads_with(8, 3));
  CHECK_FALSE(loads_with(8, 9));
  CHECK_FALSE(loads_with(9, 2));
  CHECK(loads_with(10, 1));
  CHECK_FALSE(loads_with(10, 2));
}

TEST_CASE("nim: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("nim"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/nim/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::nim
