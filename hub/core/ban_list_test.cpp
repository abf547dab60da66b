#include "hub/core/moderation.hpp"

#include "tests/support/catch.hpp"

namespace gamehub {
namespace {

address_bytes ipv4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, a, b, c, d};
}

TEST_CASE("moderation: a range has the addresses that share its first bits") {
  const address_range some{ipv4(10, 0, 16, 0), 96 + 20};
  CHECK(contains(some, ipv4(10, 0, 16, 0)));
  CHECK(contains(some, ipv4(10, 0, 31, 255)));
  CHECK_FALSE(contains(some, ipv4(10, 0, 32, 0)));
  CHECK_FALSE(contains(some, ipv4(10, 0, 15, 255)));
  const address_range one{ipv4(1, 2, 3, 4)};
  CHECK(contains(one, ipv4(1, 2, 3, 4)));
  CHECK_FALSE(contains(one, ipv4(1, 2, 3, 5)));
  const address_range every_ipv4{ipv4(0, 0, 0, 0), 96}, every_ipv6{{}, 0};
  CHECK(contains(every_ipv4, ipv4(255, 0, 0, 1)));
  CHECK_FALSE(contains(every_ipv6, ipv4(255, 0, 0, 1)));
  CHECK(contains(every_ipv6, {0xFD}));
  CHECK_FALSE(contains(every_ipv4, {0xFD}));
}

TEST_CASE("moderation: what is set holds, and nothing else") {
  ban_list rules;
  CHECK_FALSE(rules.bans("ann"));
  CHECK_FALSE(rules.bans(ipv4(1, 2, 3, 4)));
  CHECK_FALSE(rules.mutes("ann"));
  rules.set({{"ann"}, {"bob"}, {{ipv4(1, 2, 0, 0), 112}}});
  CHECK(rules.bans("ann"));
  CHECK_FALSE(rules.bans("bob"));
  CHECK(rules.mutes("bob"));
  CHECK_FALSE(rules.mutes("ann"));
  CHECK(rules.bans(ipv4(1, 2, 3, 4)));
  CHECK_FALSE(rules.bans(ipv4(1, 3, 3, 4)));
  rules.set({});
  CHECK_FALSE(rules.bans("ann"));
  CHECK_FALSE(rules.bans(ipv4(1, 2, 3, 4)));
}

}  // namespace
}  // namespace gamehub
