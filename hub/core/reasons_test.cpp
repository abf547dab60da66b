#include "hub/core/reasons.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <set>
#include <string>

using namespace gamehub;

namespace {

// Words are metric labels too: lower case and hyphens, each its own.
template <class Reason>
void check_words(int count) {
  std::set<std::string_view> seen;
  for (int i = 0; i < count; ++i) {
    const auto word = to_string(static_cast<Reason>(i));
    CAPTURE(i, std::string{word});
    CHECK(word != "unknown");
    CHECK_FALSE(word.empty());
    CHECK(std::all_of(word.begin(), word.end(),
                      [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }));
    CHECK(seen.insert(word).second);
  }
  // The count is the whole list.
  CHECK(to_string(static_cast<Reason>(count)) == "unknown");
}

}  // namespace

TEST_CASE("reasons: each refusal has a different word") { check_words<refusal>(refusal_count); }

TEST_CASE("reasons: each close reason has a different word") {
  check_words<close_reason>(close_reason_count);
}

TEST_CASE("reasons: each end reason has a different word") {
  check_words<end_reason>(end_reason_count);
}

TEST_CASE("reasons: each cause of leaving but quitting has a word") {
  CHECK(to_string(leave_cause::quit).empty());
  CHECK(to_string(leave_cause::disconnected) == "disconnected");
  CHECK(to_string(leave_cause::bot_error) == "bot-error");
  CHECK(to_string(leave_cause::banned) == "banned");
  CHECK(to_string(leave_cause::clock) == "clock");
  CHECK(to_string(static_cast<leave_cause>(leave_cause_count)) == "unknown");
}

TEST_CASE("reasons: the words of the engines are the words of the hub") {
  CHECK(to_string(refusal::out_of_bounds) == "out-of-bounds");
  CHECK(to_string(refusal::space_not_empty) == "space-not-empty");
  CHECK(to_string(refusal::not_your_turn) == "not-your-turn");
  CHECK(to_string(refusal::game_over) == "game-over");
  CHECK(to_string(refusal::malformed) == "malformed");
}
