// The bans (by name or address; a name also bans those that look like it) and mutes that are in
// force, one list for the hub. hub/server sets it; gateways and actors query it. Any thread.
#pragma once

#include "hub/base/address.hpp"

#include <atomic>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub {

struct moderation_list {
  std::set<std::string, std::less<>> banned_names, muted_names;
  std::vector<base::network> banned_addresses;
};

class ban_list {
 public:
  // Replaces the whole list.
  void set(moderation_list);

  // These return true if the name or the address is banned, or the name is muted.
  bool bans(std::string_view name) const;
  bool bans(const base::address_bytes&) const;
  bool bans_addresses() const { return addresses_; }  // at least one address
  bool mutes(std::string_view name) const;
  // Returns the keys of all banned names (hub/core/player_name.hpp).
  std::vector<std::string> banned_keys() const;

 private:
  mutable std::shared_mutex mutex_;
  moderation_list list_;  // names as their keys
  // Usually the list is empty; these flags then save the lock.
  std::atomic<bool> names_{false}, addresses_{false}, mutes_{false};
};

}  // namespace gamehub
