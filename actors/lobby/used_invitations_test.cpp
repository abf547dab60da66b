#include "actors/lobby/used_invitations.hpp"

#include "hub/base/address.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::actors::lobby {
namespace {

struct invitations {
  void add(const std::string& party, const std::string& address) {
    all.add(party, {game_status::running, nullptr, 0, 3, 3},
            address.empty() ? nullptr : ledger.account_of(*base::read_address(address)));
  }
  bool has(const std::string& party) const { return all.find(party) != nullptr; }

  address_ledger ledger{{.games = 1}, {3, 4}};
  used_invitations all{4};
};

TEST_CASE("used_invitations: keep the latest ones of an address that is alone") {
  invitations i;
  for (const auto* party : {"a", "b", "c", "d", "e"}) i.add(party, "203.0.113.9");
  CHECK_FALSE(i.has("a"));
  for (const auto* party : {"b", "c", "d", "e"}) CHECK(i.has(party));
  CHECK(i.all.find("b")->rows == 3);
}

TEST_CASE("used_invitations: an address pushes out its own ones, not those of others") {
  invitations i;
  i.add("ann's", "203.0.113.1");
  i.add("local", "");
  for (int n = 0; n < 100; ++n) i.add("stranger's " + std::to_string(n), "203.0.113.66");
  CHECK(i.has("ann's"));
  CHECK(i.has("local"));
  CHECK(i.has("stranger's 98"));
  CHECK(i.has("stranger's 99"));
  CHECK_FALSE(i.has("stranger's 97"));
  // Another address gets a place of who has most.
  i.add("bob's", "203.0.113.2");
  CHECK(i.has("bob's"));
  CHECK_FALSE(i.has("stranger's 98"));
  // All have one: the oldest goes.
  i.add("cid's", "203.0.113.3");
  CHECK_FALSE(i.has("ann's"));
  CHECK(i.has("stranger's 99"));
}

}  // namespace
}  // namespace gamehub::actors::lobby
