#include "gateways/http/anonymous_names.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gamehub::gateways::http {
namespace {

constexpr std::uint64_t first_number = 1'000;
constexpr std::uint64_t guest_numbers = 9'000;
// Ensures that a free number is found quickly.
static_assert(limits::guests_listed_max * 10 < guest_numbers);

bool holds_name(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::optional<std::string> anonymous_names::add(base::random_source& random,
                                                std::span<const std::string> taken) {
  if (names_.size() >= listed_max_) return std::nullopt;
  std::string name;
  do {
    name = "Guest" + std::to_string(first_number + random.below(guest_numbers));
  } while (holds_name(names_, name) || holds_name(taken, name));
  names_.push_back(name);
  return name;
}

bool anonymous_names::remove(std::string_view name) {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return false;
  names_.erase(at);
  return true;
}

anonymous_registry::anonymous_registry(std::size_t listed_max, base::random_source& random)
    : listed_max_(listed_max),
      key_{random.next(), random.next()},
      arrivals_({limits::http_guest_listed_each,
                 static_cast<std::uint32_t>(std::max(listed_max, limits::http_guests_listed_max))},
                limits::http_guest_buckets) {}

std::optional<std::string> anonymous_registry::add(game_id game, base::random_source& random,
                                                   std::span<const std::string> taken,
                                                   base::instant now) {
  base::endpoint as_address;
  std::memcpy(as_address.address.data(), &game.value, sizeof game.value);
  const std::lock_guard lock{mutex_};
  const auto at = games_.find(game);
  if (at != games_.end() && at->second.names().size() >= listed_max_) return std::nullopt;
  if (arrivals_.take(base::hash_of(as_address, key_), now)) return std::nullopt;
  return games_.try_emplace(game, listed_max_).first->second.add(random, taken);
}

void anonymous_registry::remove(game_id game, const std::string& name) {
  const std::lock_guard lock{mutex_};
  const auto at = games_.find(game);
  if (at == games_.end()) return;
  at->second.remove(name);
  if (at->second.names().empty()) games_.erase(at);
}

}  // namespace gamehub::gateways::http
