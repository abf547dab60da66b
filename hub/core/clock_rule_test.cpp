#include "hub/core/clock_rule.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;

namespace {

using rule_kind = clock_rule::kind;

clock_rule clock_from(std::string_view text) {
  const auto found = read_clock(text);
  if (const auto* wrong = std::get_if<std::string>(&found)) FAIL(*wrong);
  return std::get<clock_rule>(found);
}

std::string clock_mistake(std::string_view text) {
  const auto found = read_clock(text);
  const auto* wrong = std::get_if<std::string>(&found);
  return wrong == nullptr ? "" : *wrong;
}

}  // namespace

TEST_CASE("clock_rule: every kind is read from its text, and printed as the same text") {
  const std::pair<const char*, clock_rule> all[] = {
      {"none", {}},
      {"move:30", {30s, 0ms, rule_kind::per_move, 0}},
      {"move:0.001", {1ms, 0ms, rule_kind::per_move, 0}},
      {"days:3", {std::chrono::days{3}, 0ms, rule_kind::days, 0}},
      {"days:366", {std::chrono::days{366}, 0ms, rule_kind::days, 0}},
      {"sudden:300", {300s, 0ms, rule_kind::sudden_death, 0}},
      {"sudden:31622400", {std::chrono::days{366}, 0ms, rule_kind::sudden_death, 0}},
      {"fischer:180+2", {180s, 2s, rule_kind::increment, 0}},
      {"fischer:0.2+0.002", {200ms, 2ms, rule_kind::increment, 0}},
      {"bronstein:180+2.5", {180s, 2500ms, rule_kind::delay, 0}},
      {"byoyomi:600+5x30", {600s, 30s, rule_kind::byo_yomi, 5}},
      {"byoyomi:0+100x0.05", {0s, 50ms, rule_kind::byo_yomi, 100}},
  };
  for (const auto& [text, rule] : all) {
    CAPTURE(text);
    CHECK((clock_from(text) == rule));
    CHECK(is_valid(rule));
    CHECK(to_text(rule) == text);
  }
}

TEST_CASE("clock_rule: what means the same is the same clock") {
  CHECK((clock_from("fischer:300+0") == clock_from("sudden:300")));
  CHECK((clock_from("bronstein:300+0.000") == clock_from("sudden:300")));
  CHECK((clock_from("move:30.0") == clock_from("move:30")));
  CHECK((clock_from("move:030") == clock_from("move:30")));
  CHECK((clock_from("move:0.50") == clock_from("move:0.5")));
  CHECK((clock_from("days:1") != clock_from("move:86400")));
  CHECK((per_move_clock(30s) == clock_from("move:30")));
  CHECK((per_move_clock(0s) == clock_from("none")));
}

TEST_CASE("clock_rule: a clock out of bounds is a sentence") {
  const std::pair<const char*, const char*> all[] = {
      {"", "clocks: none"},
      {"None", "clocks: none"},
      {"move", "clocks: none"},
      {"chess:30", "clocks: none"},
      {"none:3", "clocks: none"},
      {"move:", "has not the right form"},
      {"move:x", "has not the right form"},
      {"move:-1", "has not the right form"},
      {"move:+1", "has not the right form"},
      {"move: 1", "has not the right form"},
      {"move:1 ", "has not the right form"},
      {"move:1.", "has not the right form"},
      {"move:.5", "has not the right form"},
      {"move:0.0001", "has not the right form"},
      {"move:1e3", "has not the right form"},
      {"move:31622401", "has not the right form"},
      {"move:99999999999999999999999", "has not the right form"},
      {"move:18446744073709551616", "has not the right form"},
      {"move:0", "at least 0.001 s"},
      {"move:31622400.001", "at most 366 days"},
      {"days:0", "at least 0.001 s"},
      {"days:367", "at most 366 days"},
      {"days:18446744073709551615", "at most 366 days"},
      {"days:1.5", "has not the right form"},
      {"days:365000", "at most 366 days"},
      {"sudden:0.000", "at least 0.001 s"},
      {"fischer:180", "has not the right form"},
      {"fischer:0+2", "at least 0.001 s"},
      {"fischer:180+86401", "at most a day"},
      {"bronstein:1+2", "begins with the time of the delay"},
      {"byoyomi:600+30", "has not the right form"},
      {"byoyomi:600+0x30", "1 to 100 periods"},
      {"byoyomi:600+101x30", "1 to 100 periods"},
      {"byoyomi:600+256x30", "1 to 100 periods"},
      {"byoyomi:600+5x0", "at least 0.001 s"},
      {"byoyomi:600+5x30x2", "has not the right form"},
  };
  for (const auto& [text, sentence] : all) {
    CAPTURE(text);
    CHECK(clock_mistake(text).find(sentence) != std::string::npos);
  }
  CHECK(clock_mistake("move:" + std::string(100, '0') + "1").starts_with("clocks: none"));
  CHECK_FALSE(clock_mistake(std::string_view{"move:1\0", 7}).empty());
}

TEST_CASE("clock_rule: each clock of a grid of times prints as what it is read from") {
  const std::chrono::milliseconds times[] = {0ms,   1ms,    10ms, 99ms,    100ms,
                                             999ms, 1000ms, 60s,  86'400s, std::chrono::days{366}};
  std::size_t valid = 0;
  for (int how = 0; how < clock_kind_count; ++how)
    for (const auto main : times)
      for (const auto step : times)
        for (const int periods : {0, 1, 100, 101}) {
          const clock_rule rule{main, step, static_cast<rule_kind>(how),
                                static_cast<std::uint8_t>(periods)};
          if (!is_valid(rule)) continue;
          ++valid;
          CHECK((clock_from(to_text(rule)) == rule));
          CHECK(to_text(rule).size() <= clock_rule::text_bytes_max);
        }
  // none 1; move 9; days 2; sudden 9; fischer 9 x 8; bronstein 8 steps, each from its own time on:
  // 9 + 8 + ... + 2; byo-yomi 10 x 8 x 2
  CHECK(valid == 1 + 9 + 2 + 9 + 72 + 44 + 160);
}
