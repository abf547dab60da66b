#include "hub/server/slow_moves.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::server;
using namespace std::chrono_literals;

namespace {

slow_move took(stage_times times, base::duration whole) {
  slow_move m;
  m.answers.stages = times;
  m.took = whole;
  return m;
}

}  // namespace

TEST_CASE("slow_moves: the stages add up to the whole") {
  const auto s = stages_of(took({1'000, 4'000, 9'000}, 10ms));
  CHECK(s.reaching == 1ms);
  CHECK(s.deciding == 3ms);
  CHECK(s.committing == 5ms);
  CHECK(s.telling == 1ms);
}

TEST_CASE("slow_moves: an answer that did not wait for the journal has no committing stage") {
  const auto s = stages_of(took({1'000, 4'000, 0}, 10ms));
  CHECK(s.deciding == 3ms);
  CHECK(s.committing == 0ms);
  CHECK(s.telling == 6ms);
}

TEST_CASE("slow_moves: an answer that did not reach a game has only the reaching stage") {
  const auto s = stages_of(took({}, 10ms));
  CHECK(s.reaching == 10ms);
  CHECK(s.deciding + s.committing + s.telling == 0ms);
}

TEST_CASE("slow_moves: no stage is negative for any order of times") {
  const auto s = stages_of(took({5'000, 4'000, 3'000}, 2ms));
  CHECK(s.reaching == 5ms);
  CHECK(s.deciding == 0ms);
  CHECK(s.committing == 0ms);
  CHECK(s.telling == 0ms);
}

TEST_CASE("slow_moves: the sampler admits a number per second and counts the others") {
  sampler s{2};
  base::instant now{1h};
  CHECK(s.take(now) == 0u);
  CHECK(s.take(now + 1ms) == 0u);
  CHECK_FALSE(s.take(now + 2ms));
  CHECK_FALSE(s.take(now + 999ms));
  CHECK(s.take(now + 1s) == 2u);
  CHECK(s.take(now + 1s) == 0u);
  CHECK_FALSE(s.take(now + 1s));
  CHECK(s.take(now + 1h) == 1u);
}
