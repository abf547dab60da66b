#include "gateways/http/guests.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::gateways::http {
namespace {

constexpr std::uint64_t first_number = 1'000;
constexpr std::uint64_t numbers = 9'000;
// So that a free number is soon drawn.
static_assert(limits::guests_listed_max * 10 < numbers);

bool holds_name(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::optional<std::string> guests::enter(random_source& dice, std::span<const std::string> taken) {
  if (names_.size() >= listed_max_) return std::nullopt;
  std::string name;
  do {
    name = "Guest" + std::to_string(first_number + dice.below(numbers));
  } while (holds_name(names_, name) || holds_name(taken, name));
  names_.push_back(name);
  return name;
}

bool guests::leave(std::string_view name) {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return false;
  names_.erase(at);
  return true;
}

}  // namespace gamehub::gateways::http
