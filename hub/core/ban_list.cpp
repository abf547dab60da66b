#include "hub/core/ban_list.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace gamehub {

void ban_list::set(moderation_list list) {
  const std::unique_lock lock{mutex_};
  list_ = std::move(list);
  names_ = !list_.banned_names.empty();
  addresses_ = !list_.banned_addresses.empty();
  mutes_ = !list_.muted_names.empty();
}

bool ban_list::bans(std::string_view name) const {
  if (!names_) return false;
  const std::shared_lock lock{mutex_};
  return list_.banned_names.contains(name);
}

bool ban_list::bans(const base::address_bytes& a) const {
  if (!addresses_) return false;
  const std::shared_lock lock{mutex_};
  return std::any_of(list_.banned_addresses.begin(), list_.banned_addresses.end(),
                     [&](const base::network& each) { return base::contains(each, a); });
}

bool ban_list::mutes(std::string_view name) const {
  if (!mutes_) return false;
  const std::shared_lock lock{mutex_};
  return list_.muted_names.contains(name);
}

}  // namespace gamehub
