// What the latest used invitations led to. Over the limit the address that has most of them loses
// its oldest one, so that strangers push out no invitations of others. A plain value; the lobby
// owns it and uses it on its loop.
#pragma once

#include "hub/core/address_ledger.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/spectator_service.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace gamehub::actors::lobby {

class used_invitations {
 public:
  explicit used_invitations(std::size_t size_max = limits::used_invitations_max)
      : size_max_(size_max) {}

  // Adds a used invitation. `of` is the address of the player who made it; those without an account
  // count as one address. Requires: the party is not known.
  void add(const std::string& party, invitation_state, const address_account_ref& of);

  // Returns null if the party is not known.
  const invitation_state* find(const std::string& party) const;

 private:
  // The parties of one address, with ascending numbers.
  using parties = std::deque<std::pair<std::uint64_t, std::string>>;
  // Orders addresses by the number of their parties, and by the age of the oldest one.
  using rank = std::tuple<std::size_t, std::uint64_t, address_account_ref>;

  static rank rank_of(const address_account_ref& of, const parties& all) {
    return {all.size(), ~all.front().first, of};
  }
  void forget_one();

  const std::size_t size_max_;
  std::uint64_t next_ = 0;
  std::unordered_map<std::string, invitation_state> by_party_;
  std::map<address_account_ref, parties> by_address_;  // none is empty
  std::set<rank> ranks_;
};

}  // namespace gamehub::actors::lobby
