#include "hub/journal/read_queue.hpp"

#include "tests/support/catch.hpp"

#include <future>
#include <thread>
#include <vector>

namespace gamehub::journal {
namespace {

TEST_CASE("read_queue: reads on its thread, in order, and calls what waits when it stops") {
  std::vector<int> read;
  std::thread::id where;
  std::promise<void> goes_on;
  read_queue q{2};
  std::promise<void> reads;
  REQUIRE(q.add([&] {
    where = std::this_thread::get_id();
    reads.set_value();
    goes_on.get_future().wait();
    read.push_back(1);
  }));
  reads.get_future().wait();
  REQUIRE(q.add([&] { read.push_back(2); }));
  REQUIRE(q.add([&] { read.push_back(3); }));
  std::function<void()> one_more = [&] { read.push_back(4); };
  CHECK(q.full());
  CHECK(q.refused() == 0);
  CHECK_FALSE(q.add(std::move(one_more)));
  CHECK(one_more);
  CHECK(q.refused() == 1);
  goes_on.set_value();
  q.stop();
  CHECK(read == std::vector{1, 2, 3});
  CHECK(where != std::this_thread::get_id());
  CHECK_FALSE(q.add(std::move(one_more)));
}

}  // namespace
}  // namespace gamehub::journal
