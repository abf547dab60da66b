#include "hub/core/ban_list.hpp"

#include "hub/core/player_name.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace gamehub {

namespace {

using name_set = std::set<std::string, std::less<>>;

name_set keys_of(const name_set& names) {
  name_set out;
  for (const auto& name : names)
    for_each_name_key(name, [&](const std::string& key) { out.insert(key); });
  return out;
}

bool has_any_key(const name_set& keys, std::string_view name) {
  bool found = false;
  for_each_name_key(name, [&](const std::string& key) { found = found || keys.contains(key); });
  return found;
}

}  // namespace

void ban_list::set(moderation_list list) {
  const std::unique_lock lock{mutex_};
  list.banned_names = keys_of(list.banned_names);
  list.muted_names = keys_of(list.muted_names);
  list_ = std::move(list);
  names_ = !list_.banned_names.empty();
  addresses_ = !list_.banned_addresses.empty();
  mutes_ = !list_.muted_names.empty();
}

bool ban_list::bans(std::string_view name) const {
  if (!names_) return false;
  const std::shared_lock lock{mutex_};
  return has_any_key(list_.banned_names, name);
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
  return has_any_key(list_.muted_names, name);
}

std::vector<std::string> ban_list::banned_keys() const {
  const std::shared_lock lock{mutex_};
  return {list_.banned_names.begin(), list_.banned_names.end()};
}

}  // namespace gamehub
