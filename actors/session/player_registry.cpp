#include "actors/session/player_registry.hpp"

#include "actors/table/engine_opponent.hpp"
#include "hub/core/ban_list.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
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

bool printable(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

bool looks_like_default(std::string_view name) {
  if (!name.starts_with(default_prefix)) return false;
  name.remove_prefix(default_prefix.size());
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// True for names of engine players and of the operator, which no client may use, and for default
// names, which a later player may receive.
bool reserved(std::string_view name) {
  return looks_like_default(name) || table::engine_opponent::is_engine_player_name(name) ||
         name == operator_name;
}

}  // namespace

std::string default_name(player_id player) {
  return std::string{default_prefix} + std::to_string(player.value);
}

std::string player_registry::enter(player_id player, std::string_view wanted, std::string digest) {
  std::string name{cut(wanted, limits::name_bytes_max)};
  if (!printable(name)) {
    name = default_name(player);
  } else if (reserved(name) || names_.contains(name)) {
    const auto at = names_.find(name);
    std::uint32_t first = 1;
    auto& suffix = at == names_.end() ? first : at->second.next_suffix;
    const auto base = std::string{cut(name, limits::name_bytes_max - 11)};
    do name = base + "-" + std::to_string(suffix++);
    while (names_.contains(name));
  }
  restore(player, name, std::move(digest));
  return name;
}

std::optional<refusal> player_registry::why_not(std::string_view wanted) const {
  if (wanted.empty()) return std::nullopt;
  if (wanted.size() > limits::name_bytes_max || !printable(wanted) || reserved(wanted))
    return refusal::name_unacceptable;
  if (names_.contains(std::string{wanted})) return refusal::name_taken;
  return std::nullopt;
}

void player_registry::restore(player_id player, const std::string& name, std::string digest) {
  names_[name] = {player};
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
  names_.erase(at->second.name);
  digests_.erase(at->second.digest);
  players_.erase(at);
}

}  // namespace gamehub::actors::session
