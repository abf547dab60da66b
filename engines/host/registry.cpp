#include "engines/host/registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <variant>

namespace gamehub::engines::host {

namespace {

bool before(const engine& a, const engine& b) {
  return a.id() != b.id() ? a.id() < b.id() : older(a, b);
}

}  // namespace

std::string is_registered(const engine& e) {
  return "engine " + std::string{e.id()} + " is already there in version " + e.version_text();
}

registry registry::built_in() {
  registry out;
  for (const auto* abi : built_in_engines()) {
    auto adopted = engine::adopt(abi);
    if (const auto* wrong = std::get_if<std::string>(&adopted)) throw std::logic_error(*wrong);
    if (const auto wrong = out.add(std::get<engine>(adopted))) throw std::logic_error(*wrong);
  }
  return out;
}

std::optional<std::string> registry::add(engine e) {
  const auto at = std::lower_bound(engines_.begin(), engines_.end(), e, before);
  if (at != engines_.end() && !before(e, *at)) return is_registered(e);
  engines_.insert(at, e);
  return std::nullopt;
}

std::optional<engine> registry::find(std::string_view id) const {
  // The last entry of an id is the newest version.
  const auto at = std::find_if(engines_.rbegin(), engines_.rend(),
                               [&](const engine& e) { return e.id() == id; });
  if (at == engines_.rend()) return std::nullopt;
  return *at;
}

std::optional<engine> registry::find(std::string_view id, std::string_view version_text) const {
  const auto at = std::find_if(engines_.begin(), engines_.end(), [&](const engine& e) {
    return e.id() == id && e.version_text() == version_text;
  });
  if (at == engines_.end()) return std::nullopt;
  return *at;
}

}  // namespace gamehub::engines::host
