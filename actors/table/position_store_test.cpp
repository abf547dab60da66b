#include "actors/table/position_store.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gamehub::actors::table {
namespace {

TEST_CASE(
    "position_store: a position that is not read any more is filled again, with nothing of "
    "before") {
  position_store store;
  auto first = store.take();
  first->number = 7;
  first->by = 1;
  first->rows = 3;
  first->cells = std::string(100, 'X');
  first->document = std::string(200, ' ');
  first->score = {1.0};
  first->outcome.emplace();
  first->clock.left.resize(2);
  first->clock.running = 1;
  first->actions.emplace_back();
  const auto* const where = first.get();
  const auto* const cells = first->cells.data();
  first.reset();
  const auto again = store.take();
  REQUIRE(again.get() == where);
  CHECK(again->number == 0);
  CHECK_FALSE(again->by);
  CHECK(again->rows == 0);
  CHECK(again->cells.empty());
  CHECK(again->cells.data() == cells);
  CHECK(again->document.empty());
  CHECK(again->score.empty());
  CHECK_FALSE(again->outcome);
  CHECK_FALSE(again->clock);
  CHECK(again->clock.running == 0);
  CHECK(again->actions.empty());
}

TEST_CASE("position_store: a position that is read does not change") {
  position_store store;
  std::vector<position_ref> read;
  for (std::uint64_t i = 0; i < 3 * position_store::kept_max; ++i) {
    auto next = store.take();
    next->number = i;
    read.push_back(std::move(next));
  }
  for (std::uint64_t i = 0; i < read.size(); ++i) CHECK(read[i]->number == i);
  // The latest ones are those that the store knows.
  const auto* const latest = read.back().get();
  read.clear();
  bool found = false;
  std::vector<position_ref> again;
  for (std::size_t i = 0; i < position_store::kept_max; ++i) again.push_back(store.take());
  for (const auto& each : again) found = found || each.get() == latest;
  CHECK(found);
}

TEST_CASE("position_store: positions that wait for a commit are filled again in their order") {
  position_store store;
  std::vector<position_ref> waiting;
  std::vector<const position*> first;
  for (int i = 0; i < 40; ++i) {
    waiting.push_back(store.take());
    first.push_back(waiting.back().get());
  }
  // Ten commits after the other, of the oldest ten each time, with as many new ones.
  for (int round = 0; round < 12; ++round) {
    waiting.erase(waiting.begin(), waiting.begin() + 10);
    for (int i = 0; i < 10; ++i) {
      waiting.push_back(store.take());
      CHECK(std::ranges::count(first, waiting.back().get()) == 1);
    }
  }
}

TEST_CASE("position_store: one that is held for long does not keep the others from use") {
  position_store store;
  const auto held = store.take();
  const auto* const other = store.take().get();
  for (int i = 0; i < 100; ++i) CHECK(store.take().get() == other);
}

TEST_CASE("position_store: the memory of a long text is not kept") {
  position_store store;
  store.take()->document = std::string(1'000'000, ' ');
  CHECK(store.take()->document.capacity() < 100);
}

}  // namespace
}  // namespace gamehub::actors::table
