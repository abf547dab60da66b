// Whom the operator keeps out, by name or by address, and who may say nothing: one for the whole
// hub. hub/app tells it what holds from now on; gateways and actors ask it. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub {

// Under which what the operator says is told. No player has this name.
inline constexpr std::string_view operator_name = "operator";

// IPv4 as ::ffff:a.b.c.d.
using address_bytes = std::array<std::uint8_t, 16>;

// Addresses that share their first bits.
struct address_range {
  address_bytes first{};
  unsigned bits = 128;  // an IPv4 prefix and 96
};

// An IPv4 address is in no range of IPv6.
bool contains(const address_range&, const address_bytes&);

struct moderation_list {
  std::set<std::string, std::less<>> banned_names, muted_names;
  std::vector<address_range> banned_addresses;
};

class ban_list {
 public:
  void set(moderation_list);

  bool bans(std::string_view name) const;
  bool bans(const address_bytes&) const;
  bool bans_addresses() const { return addresses_; }  // any at all
  bool mutes(std::string_view name) const;

 private:
  mutable std::shared_mutex mutex_;
  moderation_list list_;
  // Mostly nobody is kept out, and then nobody waits for the lock.
  std::atomic<bool> names_{false}, addresses_{false}, mutes_{false};
};

}  // namespace gamehub
