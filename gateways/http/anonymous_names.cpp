#include "gateways/http/anonymous_names.hpp"

#include <algorithm>
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

}  // namespace gamehub::gateways::http
