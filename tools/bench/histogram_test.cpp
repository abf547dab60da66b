#include "tools/bench/histogram.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::tools::bench {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

TEST_CASE("histogram: returns percentiles within two percent") {
  histogram h;
  for (int i = 1; i <= 1'000; ++i) h.add(microseconds{i});
  CHECK(h.count() == 1'000);
  CHECK(h.at_us(0.5) == Approx(501).epsilon(0.02));
  CHECK(h.at_us(0.99) == Approx(991).epsilon(0.02));
  CHECK(h.at_us(0.999) == Approx(1'000).epsilon(0.02));
  CHECK(h.most_us() == 1'000);
}

TEST_CASE("histogram: returns each single latency within two percent, and never a longer one") {
  for (std::int64_t ns = 1; ns < 100'000'000'000; ns = ns * 3 + 1) {
    histogram h;
    h.add(nanoseconds{ns});
    const auto value = 1'000 * h.at_us(0.5);
    CHECK(value <= static_cast<double>(ns));
    CHECK(value >= 0.98 * static_cast<double>(ns));
  }
}

TEST_CASE("histogram: is empty at first and after clear") {
  histogram h;
  CHECK(h.at_us(0.5) == 0);
  h.add(microseconds{5});
  h.clear();
  CHECK(h.count() == 0);
  CHECK(h.at_us(0.99) == 0);
  CHECK(h.most_us() == 0);
}

}  // namespace
}  // namespace gamehub::tools::bench
