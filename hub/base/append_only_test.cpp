#include "hub/base/append_only.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <thread>
#include <vector>

namespace gamehub::base {
namespace {

TEST_CASE("append_only: numbers its items as they come, and refuses more than it has room for") {
  append_only<std::string, 2> list;
  CHECK(list.empty());
  CHECK(list.push_back("one") == 0U);
  const auto* first = &list[0];
  CHECK(list.push_back("two") == 1U);
  CHECK_FALSE(list.push_back("three"));
  CHECK(list.size() == 2);
  CHECK(&list[0] == first);
  std::vector<std::string> all;
  for (const auto& each : list) all.push_back(each);
  CHECK(all == std::vector<std::string>{"one", "two"});
}

TEST_CASE("append_only: a reader that counts an item while it is appended sees the whole item") {
  append_only<std::string, 1'000> list;
  std::size_t torn = 0;
  std::thread reader{[&] {
    for (std::size_t n = 0; n < list.capacity(); n = list.size())
      if (n > 0 && list[n - 1] != std::string(40, 'a') + std::to_string(n - 1)) ++torn;
  }};
  for (std::size_t i = 0; i < list.capacity(); ++i)
    list.push_back(std::string(40, 'a') + std::to_string(i));
  reader.join();
  CHECK(torn == 0);
  CHECK(list.size() == list.capacity());
}

}  // namespace
}  // namespace gamehub::base
