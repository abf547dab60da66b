#include "actors/session/player_registry.hpp"

#include "hub/base/require.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/player_name.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gamehub::actors::session {

namespace {

constexpr std::string_view default_prefix = "client-";
// Suffixes that are tried before that of the player's number, which hardly ever is taken. Each
// costs the keys of a name, some microseconds of the lobby.
constexpr int suffixes_tried_max = 8;
constexpr std::size_t digits_max = std::numeric_limits<std::uint32_t>::digits10 + 1;

// Returns the longest prefix within the bound that is valid UTF-8. The text is valid UTF-8.
std::string_view cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xc0) == 0x80) --bytes_max;
  return text.substr(0, bytes_max);
}

// The name without a suffix, so that one has room.
std::string base_of_suffix(player_id player, std::string_view wanted) {
  const auto digits = std::max(std::to_string(player.value).size(), digits_max);
  std::string base{cut(wanted, limits::name_bytes_max - 1 - digits)};
  while (base.ends_with(' ')) base.pop_back();
  return base;
}

// True for a name that looks like a default name, which a later player may receive.
bool looks_like_default(std::string_view name) {
  static const auto prefix = base::unicode::keys_of(default_prefix).by_case;
  static const auto digits = base::unicode::keys_of("0123456789").by_case;
  bool found = false;
  for_each_name_key(name, [&](std::string_view key) {
    found = found || (key.size() > prefix.size() && key.starts_with(prefix) &&
                      key.find_first_not_of(digits, prefix.size()) == key.npos);
  });
  return found;
}

}  // namespace

std::string default_name(player_id player) {
  return std::string{default_prefix} + std::to_string(player.value);
}

player_registry::player_registry() { static_cast<void>(why_not("name")); }

std::string player_registry::enter(player_id player, std::string_view wanted, std::string digest) {
  std::string name{cut(wanted, limits::name_bytes_max)};
  if (!is_acceptable_name(name) || is_reserved_name(name))
    name = default_name(player);
  else if (auto* like = look_up(name); like || looks_like_default(name))
    name = with_suffix(player, name, like);
  restore(player, name, std::move(digest));
  return name;
}

std::string player_registry::with_suffix(player_id player, std::string_view wanted, taken* like) {
  const auto base = base_of_suffix(player, wanted);
  std::uint32_t first = 1;
  auto& suffix = like ? like->next_suffix : first;
  for (int i = 0; i < suffixes_tried_max; ++i)
    if (auto name = base + "-" + std::to_string(suffix++); is_free(name)) return name;
  return with_number(player, wanted);
}

std::string player_registry::with_number(player_id player, std::string_view wanted) {
  auto name = base_of_suffix(player, wanted) + "-" + std::to_string(player.value);
  return is_free(name) ? name : default_name(player);
}

std::string player_registry::enter_other(player_id player, std::string_view wanted, int lost) {
  auto digest = players_.at(player).digest;
  leave(player);
  const std::string like{cut(wanted, limits::name_bytes_max)};
  auto name = lost == 1   ? with_suffix(player, like, look_up(like))
              : lost == 2 ? with_number(player, like)
                          : default_name(player);
  restore(player, name, std::move(digest));
  return name;
}

player_registry::taken* player_registry::look_up(std::string_view name) {
  ++look_ups_;
  if (auto* here = find_like(names_, name)) return here;
  return is_taken_elsewhere(name) ? &(elsewhere_ = {}) : nullptr;
}

bool player_registry::is_taken_elsewhere(std::string_view name) const {
  bool found = false;
  if (also_taken_)
    for_each_name_key(name, [&](const std::string& key) { found = found || also_taken_(key); });
  return found;
}

bool player_registry::is_free(std::string_view name) {
  return look_up(name) == nullptr && !looks_like_default(name);
}

std::optional<player_registry::name_refusal> player_registry::why_not(std::string_view wanted,
                                                                      player_id own) const {
  if (wanted.empty()) return std::nullopt;
  const auto unacceptable = [](name_fault f) {
    return name_refusal{refusal::name_unacceptable, std::string{to_string(f)}};
  };
  if (const auto fault = fault_of_name(wanted)) return unacceptable(*fault);
  if (is_reserved_name(wanted) || looks_like_default(wanted))
    return unacceptable(name_fault::reserved);
  bool is_others = false, is_own = false;
  for_each_name_key(wanted, [&](const std::string& key) {
    const auto at = names_.find(key);
    if (at != names_.end()) (at->second.by == own ? is_own : is_others) = true;
  });
  if (!is_others && !is_own) is_others = is_taken_elsewhere(wanted);
  return is_others ? std::optional{name_refusal{refusal::name_taken}} : std::nullopt;
}

void player_registry::reserve(player_id player, std::string_view name) {
  // A journal of an earlier version may hold two names that look alike: both stay.
  for_each_name_key(name, [&](const std::string& key) { names_.try_emplace(key, taken{player}); });
}

void player_registry::free(player_id player, std::string_view name) {
  for_each_name_key(name, [&](const std::string& key) {
    if (const auto own = names_.find(key); own != names_.end() && own->second.by == player)
      names_.erase(own);
  });
}

void player_registry::restore(player_id player, const std::string& name, std::string digest,
                              std::vector<std::string> former) {
  reserve(player, name);
  if (!digest.empty()) digests_[digest] = player;
  auto& e = players_[player] = {name, std::move(digest), {}};
  for (auto& each : former) e.former.push_back({std::move(each), {}});
}

bool player_registry::may_rename(player_id player, const std::string& name) const {
  const auto& former = players_.at(player).former;
  return former.size() + 1 < limits::names_per_player_max ||
         std::any_of(former.begin(), former.end(),
                     [&](const former_name& each) { return each.name == name; });
}

void player_registry::rename(player_id player, const std::string& name, base::instant now) {
  auto& e = players_.at(player);
  if (e.name == name) return;
  GAMEHUB_REQUIRE(!why_not(name, player) && may_rename(player, name));
  std::erase_if(e.former, [&](const former_name& each) { return each.name == name; });
  e.former.push_back({std::exchange(e.name, name), now + limits::old_name_kept});
  expiries_.emplace_back(now + limits::old_name_kept, player);
  reserve(player, name);
}

// Names that look alike share keys, so those that are still needed are reserved again.
std::vector<player_id> player_registry::expire(base::instant now) {
  std::vector<player_id> found;
  for (; !expiries_.empty() && expiries_.front().first <= now; expiries_.pop_front()) {
    const auto player = expiries_.front().second;
    const auto at = players_.find(player);
    if (at == players_.end()) continue;
    for (const auto& each : at->second.former)
      if (each.reserved_until <= now) free(player, each.name);
    reserve(player, at->second.name);
    for (const auto& each : at->second.former)
      if (each.reserved_until > now) reserve(player, each.name);
    found.push_back(player);
  }
  return found;
}

std::vector<std::string> player_registry::keys_of(std::string_view name) {
  std::vector<std::string> keys;
  for_each_name_key(name, [&](const std::string& key) { keys.push_back("n" + key); });
  return keys;
}

std::string player_registry::key_of_digest(std::string_view digest) {
  return "d" + std::string{digest};
}

std::vector<std::string> player_registry::keys_of(player_id player, base::instant now) const {
  std::vector<std::string> keys;
  const auto at = players_.find(player);
  if (at == players_.end()) return keys;
  const auto add = [&](const std::string& name) {
    if (name == default_name(player)) return;
    for (auto& key : keys_of(name))
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  };
  add(at->second.name);
  for (const auto& each : at->second.former)
    if (each.reserved_until > now) add(each.name);
  if (!at->second.digest.empty()) keys.push_back(key_of_digest(at->second.digest));
  return keys;
}

std::optional<player_id> player_registry::find_digest(const std::string& digest) const {
  const auto at = digests_.find(digest);
  if (at == digests_.end()) return std::nullopt;
  return at->second;
}

const player_registry::entry* player_registry::find(player_id player) const {
  const auto at = players_.find(player);
  return at == players_.end() ? nullptr : &at->second;
}

void player_registry::leave(player_id player) {
  const auto at = players_.find(player);
  if (at == players_.end()) return;
  free(player, at->second.name);
  for (const auto& each : at->second.former) free(player, each.name);
  // A player that is restored takes its digest from one that brought the secret before it was here.
  if (const auto own = digests_.find(at->second.digest);
      own != digests_.end() && own->second == player)
    digests_.erase(own);
  players_.erase(at);
}

std::vector<std::string> player_registry::keys_of(std::span<const journal::record> log) {
  std::vector<std::string> keys;
  const auto add_name = [&](const std::string& name) {
    const auto more = keys_of(std::string_view{name});
    keys.insert(keys.end(), more.begin(), more.end());
  };
  std::vector<std::vector<std::string>> former;
  for (const auto& r : journal::seats_of(log, &former)) {
    if (r.secret.empty()) continue;
    keys.push_back(key_of_digest(r.secret));
    add_name(r.text);
    for (const auto& name : former.at(static_cast<std::size_t>(r.seat))) add_name(name);
  }
  return keys;
}

}  // namespace gamehub::actors::session
