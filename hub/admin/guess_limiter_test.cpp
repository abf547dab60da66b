#include "hub/admin/guess_limiter.hpp"

#include "hub/base/address.hpp"
#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::admin {
namespace {

using namespace std::chrono_literals;

constexpr base::instant start{1h};

base::endpoint at(const std::string& address) { return *base::read_address(address); }

TEST_CASE("guess_limiter: compares twenty wrong tokens a second of one sender") {
  base::seeded_entropy random{1};
  guess_limiter limiter{random};
  const auto eve = at("203.0.113.9");
  int compared = 0;
  for (auto passed = 0ms; passed < 10s; ++passed)
    if (!limiter.wait(eve, start + passed)) {
      limiter.add(eve, start + passed);
      ++compared;
    }
  CHECK(compared >= 200);
  CHECK(compared <= 220);
}

TEST_CASE("guess_limiter: wrong tokens of one sender do not limit others") {
  base::seeded_entropy random{1};
  guess_limiter limiter{random};
  for (int i = 0; i < 1'000; ++i) {
    CHECK_FALSE(limiter.wait(at("203.0.113.9"), start));
    CHECK_FALSE(limiter.wait(at("2001:db8::1"), start));
  }
  for (int i = 0; i < 20; ++i) {
    limiter.add(at("203.0.113.9"), start);
    limiter.add(at("2001:db8::1"), start);
  }
  CHECK(limiter.wait(at("203.0.113.9"), start) == base::duration{50ms});
  CHECK(limiter.wait(at("2001:db8::2"), start));
  CHECK_FALSE(limiter.wait(at("203.0.113.10"), start));
  CHECK_FALSE(limiter.wait(at("2001:db8:0:1::1"), start));
  CHECK_FALSE(limiter.wait(at("203.0.113.9"), start + 50ms));
}

TEST_CASE("guess_limiter: logs one wrong token a minute of each sender, and counts the others") {
  base::seeded_entropy random{1};
  guess_limiter limiter{random};
  const auto eve = at("203.0.113.9");
  CHECK(limiter.add(eve, start) == 0U);
  for (int i = 0; i < 7; ++i) CHECK_FALSE(limiter.add(eve, start + 1s * i));
  CHECK(limiter.add(at("203.0.113.10"), start + 8s) == 7U);
  CHECK_FALSE(limiter.add(eve, start + 59s));
  CHECK(limiter.add(eve, start + 60s) == 1U);
}

TEST_CASE("guess_limiter: many senders get few lines of the log") {
  base::seeded_entropy random{1};
  guess_limiter limiter{random};
  int lines = 0;
  for (int i = 0; i < 250; ++i)
    if (limiter.add(at("203.0.113." + std::to_string(i)), start)) ++lines;
  CHECK(lines == 10);
  CHECK(limiter.add(at("198.51.100.7"), start + 6s) == 240U);
}

}  // namespace
}  // namespace gamehub::admin
