#include "hub/base/random.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <set>

using namespace gamehub::base;

namespace {

// Gives what the test says.
class scripted_entropy final : public random_source {
 public:
  explicit scripted_entropy(std::deque<std::uint64_t> numbers) : numbers_(std::move(numbers)) {}

  std::uint64_t next() override {
    const auto n = numbers_.front();
    numbers_.pop_front();
    return n;
  }
  std::size_t left() const { return numbers_.size(); }

 private:
  std::deque<std::uint64_t> numbers_;
};

}  // namespace

TEST_CASE("entropy: the seeded one is SplitMix64") {
  // The sequence of seed 1234567 as its authors' reference program prints it.
  seeded_entropy luck{1234567};
  CHECK(luck.next() == 6457827717110365317u);
  CHECK(luck.next() == 3203168211198807973u);
  CHECK(luck.next() == 9817491932198370423u);
}

TEST_CASE("entropy: a seed repeats its sequence and another one does not") {
  seeded_entropy a{7}, b{7}, c{8};
  for (int i = 0; i < 100; ++i) {
    const auto x = a.next();
    CHECK(x == b.next());
    CHECK(x != c.next());
  }
}

TEST_CASE("entropy: below() stays below and gives every number its share") {
  seeded_entropy luck{1};
  const auto n = GENERATE(std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{7});
  constexpr int draws = 21'000;
  std::array<int, 7> counts{};
  for (int i = 0; i < draws; ++i) {
    const auto x = luck.below(n);
    REQUIRE(x < n);
    ++counts[x];
  }
  const auto share = draws / static_cast<int>(n);
  for (std::size_t i = 0; i < n; ++i) {
    CAPTURE(n, i);
    CHECK(counts[i] > share - share / 10);
    CHECK(counts[i] < share + share / 10 + 1);
  }
}

TEST_CASE("entropy: below() draws again where a remainder would favour small numbers") {
  // Below 2^63 + 1 only the first 2^63 + 1 numbers are fair; the others are drawn again.
  constexpr auto n = (std::uint64_t{1} << 63) + 1;
  scripted_entropy luck{{n, ~std::uint64_t{0}, n + 5, 42}};
  CHECK(luck.below(n) == 42);
  CHECK(luck.left() == 0);
}

TEST_CASE("entropy: a secret is 128 bits in hexadecimal and every bit of them counts") {
  scripted_entropy luck{{0x0123456789abcdef, 0xfedcba9876543210, 0, 0, 0, 1}};
  const auto secret = luck.secret();
  CHECK(secret.size() == 32);
  CHECK(secret == "fedcba98765432100123456789abcdef");
  CHECK(luck.secret() != luck.secret());
}

TEST_CASE("entropy: the kernel's gives no number twice, across its blocks") {
  system_entropy luck;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 200; ++i) CHECK(seen.insert(luck.next()).second);
  system_entropy other;
  CHECK(seen.insert(other.next()).second);
}
