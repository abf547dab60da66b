#include "actors/runtime/late_times.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;
using actors::runtime::late_times;

namespace {

const base::instant dawn{6h};

}  // namespace

TEST_CASE("late_times: count what overlaps, and no short iterations") {
  late_times late;
  CHECK(late.between(dawn, dawn + 1h) == 0us);
  late.add(dawn, dawn + 4999us);
  CHECK(late.between(dawn, dawn + 1h) == 0us);
  late.add(dawn + 1s, dawn + 3s);
  late.add(dawn + 5s, dawn + 6s);
  CHECK(late.between(dawn, dawn + 1h) == 3s);
  CHECK(late.between(dawn + 2s, dawn + 5500ms) == 1500ms);
  CHECK(late.between(dawn + 3s, dawn + 5s) == 0us);
  CHECK(late.between(dawn + 6s, dawn + 1h) == 0us);
  CHECK(late.between(dawn - 1h, dawn + 1s) == 0us);
  CHECK(late.between(dawn + 2s, dawn + 2s) == 0us);
}

TEST_CASE("late_times: a loop that is late again and again is late all the time") {
  late_times late;
  auto now = dawn;
  for (int i = 0; i < 10'000; ++i, now += 6ms + late_times::gap_max) late.add(now, now + 6ms);
  CHECK(late.between(dawn, now) == now - dawn - late_times::gap_max);
}

TEST_CASE("late_times: only the latest ones are kept") {
  late_times late;
  const auto count = late_times::kept_max + 10;
  for (std::size_t i = 0; i < count; ++i) late.add(dawn + i * 1s, dawn + i * 1s + 10ms);
  CHECK(late.between(dawn, dawn + 24h) == late_times::kept_max * 10ms);
  CHECK(late.between(dawn + (count - 1) * 1s, dawn + 24h) == 10ms);
}

TEST_CASE("late_times: what the loop does at the moment counts when it is late, and once") {
  late_times late;
  late.begin(dawn);
  CHECK(late.between(dawn - 1s, dawn + 4ms) == 0us);
  CHECK(late.between(dawn - 1s, dawn + 300ms) == 300ms);
  CHECK(late.between(dawn + 299ms, dawn + 300ms) == 1ms);
  CHECK(late.between(dawn + 300ms, dawn + 300ms) == 0us);
  // Added, and not yet followed by another task.
  late.add(dawn, dawn + 300ms);
  CHECK(late.between(dawn - 1s, dawn + 301ms) == 301ms);
  late.begin(dawn + 301ms);
  CHECK(late.between(dawn - 1s, dawn + 302ms) == 300ms);
  // Waits for messages alone.
  late.begin(base::instant::max());
  CHECK(late.between(dawn, dawn + 1h) == 300ms);
}
