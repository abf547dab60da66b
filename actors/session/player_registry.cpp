#include "actors/session/player_registry.hpp"

#include "hub/core/limits.hpp"
#include "hub/core/player_name.hpp"

#include <utility>

namespace gamehub::actors::session {

namespace {

constexpr std::string_view default_prefix = "client-";

// Returns the longest prefix within the bound that is valid UTF-8. The text is valid UTF-8.
std::string_view cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xc0) == 0x80) --bytes_max;
  return text.substr(0, bytes_max);
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

std::string player_registry::enter(player_id player, std::string_view wanted, std::string digest) {
  std::string name{cut(wanted, limits::name_bytes_max)};
  if (!is_acceptable_name(name) || is_reserved_name(name)) {
    name = default_name(player);
  } else if (auto* like = find_like(names_, name); like || looks_like_default(name)) {
    std::uint32_t first = 1;
    auto& suffix = like ? like->next_suffix : first;
    auto base = std::string{cut(name, limits::name_bytes_max - 11)};
    while (base.ends_with(' ')) base.pop_back();
    do name = base + "-" + std::to_string(suffix++);
    while (find_like(names_, name));
  }
  restore(player, name, std::move(digest));
  return name;
}

std::optional<refusal> player_registry::why_not(std::string_view wanted) const {
  if (wanted.empty()) return std::nullopt;
  if (!is_acceptable_name(wanted) || is_reserved_name(wanted) || looks_like_default(wanted))
    return refusal::name_unacceptable;
  if (find_like(names_, wanted)) return refusal::name_taken;
  return std::nullopt;
}

void player_registry::restore(player_id player, const std::string& name, std::string digest) {
  // A journal of an earlier version may hold two names that look alike: both stay.
  for_each_name_key(name, [&](const std::string& key) { names_.try_emplace(key, taken{player}); });
  if (!digest.empty()) digests_[digest] = player;
  players_[player] = {name, std::move(digest)};
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
  for_each_name_key(at->second.name, [&](const std::string& key) {
    if (const auto own = names_.find(key); own != names_.end() && own->second.by == player)
      names_.erase(own);
  });
  digests_.erase(at->second.digest);
  players_.erase(at);
}

}  // namespace gamehub::actors::session
