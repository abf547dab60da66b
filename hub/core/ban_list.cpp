#include "hub/core/moderation.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace gamehub {
namespace {

constexpr std::size_t ipv4_offset = 12;

bool is_ipv4(const address_bytes& a) {
  return std::all_of(a.begin(), a.begin() + 10, [](auto byte) { return byte == 0; }) &&
         a[10] == 0xFF && a[ipv4_offset - 1] == 0xFF;
}

}  // namespace

bool contains(const address_range& range, const address_bytes& a) {
  if (is_ipv4(range.first) != is_ipv4(a)) return false;
  const auto whole = range.bits / 8;
  if (!std::equal(a.begin(), a.begin() + whole, range.first.begin())) return false;
  const auto rest = range.bits % 8;
  return rest == 0 || (a[whole] ^ range.first[whole]) >> (8 - rest) == 0;
}

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

bool ban_list::bans(const address_bytes& a) const {
  if (!addresses_) return false;
  const std::shared_lock lock{mutex_};
  return std::any_of(list_.banned_addresses.begin(), list_.banned_addresses.end(),
                     [&](const address_range& each) { return contains(each, a); });
}

bool ban_list::mutes(std::string_view name) const {
  if (!mutes_) return false;
  const std::shared_lock lock{mutex_};
  return list_.muted_names.contains(name);
}

}  // namespace gamehub
