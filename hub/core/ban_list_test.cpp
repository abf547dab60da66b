#include "hub/core/ban_list.hpp"

#include "tests/support/catch.hpp"

namespace gamehub {
namespace {

base::address_bytes ipv4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, a, b, c, d};
}

TEST_CASE("ban_list: the list that was set is in force, and nothing else") {
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
