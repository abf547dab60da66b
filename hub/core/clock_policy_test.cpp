#include "hub/core/clock_policy.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;

namespace {

std::string outcome_of(const clock_policy& p, std::string_view engine, std::string_view text) {
  const auto found = p.choose(engine, text);
  if (const auto* rule = std::get_if<clock_rule>(&found)) return to_text(*rule);
  return std::get<std::string>(found);
}

clock_policy some_policy() {
  clock_policy p;
  p.standard = per_move_clock(120s);
  p.by_engine["othello"] = std::get<clock_rule>(read_clock("sudden:604800"));
  p.least = 2s;
  p.move_max = 1h;
  p.game_max = 2h;
  return p;
}

}  // namespace

TEST_CASE("clock_policy: who chooses no clock gets that of the engine") {
  const auto p = some_policy();
  CHECK(outcome_of(p, "tictactoe", "") == "move:120");
  CHECK(outcome_of(p, "othello", "") == "sudden:604800");
  // It may also be asked for, whatever the bounds are.
  CHECK(outcome_of(p, "othello", "sudden:604800") == "sudden:604800");
  CHECK(outcome_of(p, "tictactoe", "sudden:604800").find("at most 7200 s") != std::string::npos);
}

TEST_CASE("clock_policy: a clock has to be within the bounds of the hub") {
  const auto p = some_policy();
  for (const auto* good : {"move:2", "move:3600", "sudden:2", "sudden:7200", "fischer:2+0.001",
                           "fischer:7200+3600", "bronstein:60+60", "byoyomi:0+5x2"})
    CHECK(outcome_of(p, "nim", good) == good);
  const std::pair<const char*, const char*> all[] = {
      {"move:1.999", "at least 2 s"},
      {"move:3601", "a move on this hub is at most 3600 s"},
      {"days:1", "at most 3600 s"},
      {"sudden:1", "at least 2 s"},
      {"sudden:7201", "at most 7200 s"},
      {"fischer:1+1", "at least 2 s"},
      {"fischer:5+3601", "at most 3600 s"},
      {"byoyomi:0+5x1.5", "at least 2 s"},
      {"none", "without a clock"},
      {"move:0", "at least 0.001 s"},
      {"soon", "clocks: none"}};
  for (const auto& [text, sentence] : all) {
    CAPTURE(text);
    CHECK(outcome_of(p, "nim", text).find(sentence) != std::string::npos);
  }
}

TEST_CASE("clock_policy: games without a clock are played where the operator says so") {
  auto p = some_policy();
  p.allows_none = true;
  CHECK(outcome_of(p, "nim", "none") == "none");
  p.allows_none = false;
  p.standard = clock_rule{};
  CHECK(outcome_of(p, "nim", "none") == "none");
  CHECK(outcome_of(p, "othello", "none") != "none");
}

TEST_CASE("clock_policy: only games of days, and none with a bound, need no connected players") {
  clock_policy p;
  const auto away = [&p](const char* text) {
    return p.away_time(std::get<clock_rule>(read_clock(text)));
  };
  CHECK(away("days:1") == std::chrono::seconds::max());
  for (const auto* text :
       {"move:86400", "sudden:300", "fischer:180+2", "bronstein:180+2", "byoyomi:1+1x1", "none"})
    CHECK_FALSE(away(text));
  p.none_away = std::chrono::seconds{60};
  CHECK(away("none") == std::chrono::seconds{60});
  CHECK_FALSE(away("move:86400"));
}
