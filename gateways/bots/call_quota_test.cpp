#include "gateways/bots/call_quota.hpp"

#include "tests/support/catch.hpp"

#include <vector>

using gamehub::gateways::bots::call_quota;

TEST_CASE("call_quota: further calls wait for their turn, in their order") {
  call_quota quota{2};
  std::vector<int> begun;
  const auto take = [&](int n) {
    if (quota.take([&begun, n] { begun.push_back(n); })) begun.push_back(n);
  };
  for (int n = 1; n <= 4; ++n) take(n);
  CHECK(begun == std::vector{1, 2});
  quota.give_back();
  CHECK(begun == std::vector{1, 2, 3});
  take(5);
  quota.give_back();
  quota.give_back();
  CHECK(begun == std::vector{1, 2, 3, 4, 5});
  quota.give_back();
  quota.give_back();
  take(6);
  take(7);
  take(8);
  CHECK(begun == std::vector{1, 2, 3, 4, 5, 6, 7});
}
