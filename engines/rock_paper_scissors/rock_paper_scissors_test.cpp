#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::engines::rock_paper_scissors {
namespace {

host::match start() {
  return std::get<host::match>(tests::built_in("rock-paper-scissors").create(""));
}

std::string view(const host::match& m, int viewer) {
  std::string out;
  m.view_json(viewer, out);
  return out;
}

TEST_CASE("rock_paper_scissors: keeps the engine contract") {
  tests::check_engine_contract(tests::built_in("rock-paper-scissors"));
}

TEST_CASE("rock_paper_scissors: paper beats rock, scissors beat paper, rock beats scissors") {
  const double lead_of_first[3][3] = {{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}};
  for (action first = 0; first < 3; ++first)
    for (action second = 0; second < 3; ++second) {
      host::match m = start();
      REQUIRE(m.apply(0, first) == nullptr);
      REQUIRE(m.apply(1, second) == nullptr);
      CHECK(m.over());
      double scores[2];
      m.scores(scores);
      CHECK(scores[0] == lead_of_first[first][second]);
      CHECK(scores[1] == -scores[0]);
    }
}

TEST_CASE("rock_paper_scissors: hides a choice until both have chosen, in either order") {
  for (const int early : {0, 1}) {
    const int late = 1 - early;
    host::match m = start();
    CHECK(m.to_move() == (only(0) | only(1)));
    CHECK(m.audience(early, 1) == only(early));
    REQUIRE(m.apply(early, 1) == nullptr);
    CHECK(m.to_move() == only(late));
    CHECK(view(m, early).find("paper") != std::string::npos);
    CHECK(view(m, late).find("paper") == std::string::npos);
    CHECK(view(m, spectator).find("paper") == std::string::npos);
    CHECK(m.apply(early, 2) == std::string{"not-your-turn"});
    CHECK(m.audience(late, 2) == everyone);
    REQUIRE(m.apply(late, 2) == nullptr);
    CHECK(view(m, late).find("paper") != std::string::npos);
    CHECK(view(m, spectator).find("\"winner\":" + std::to_string(late)) != std::string::npos);
  }
}

TEST_CASE("rock_paper_scissors: reads choices by their word") {
  const host::match m = start();
  CHECK(m.from_text(0, "scissors").value == 2);
  CHECK(m.from_json(1, R"({"type":"move","choice":"p\u0061per"})").value == 1);
  CHECK(m.to_json(0) == R"({"type":"move","choice":"rock"})");
  for (const char* bad :
       {R"({"choice":"lizard"})", R"({"choice":1})", R"({"choice":"rocks"})", "{}"})
    CHECK(m.from_json(0, bad).reason == std::string{"malformed"});
}

TEST_CASE("rock_paper_scissors: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("rock-paper-scissors"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/rock_paper_scissors/playthrough.txt", now) ==
        now);
}

}  // namespace
}  // namespace gamehub::engines::rock_paper_scissors
