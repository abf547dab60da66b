#include "tests/contract/engine_contract.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace gamehub::tests {

std::uint64_t seed_of_this_run() {
  const char* text = std::getenv("GAMEHUB_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

std::vector<std::string> violations(const engines::engine& rules,
                                    engines::contract::settings with) {
  if (with.seed == engines::contract::settings{}.seed) with.seed = seed_of_this_run();
  return engines::contract::violations(rules, with);
}

engines::engine built_in(std::string_view id) {
  if (auto found = engines::registry::built_in().find(id)) return *found;
  throw std::out_of_range("no engine of this id was compiled in: " + std::string{id});
}

std::string kept_playthrough(const std::string& path, std::string_view current) {
  const char* wish = std::getenv("GAMEHUB_PLAYTHROUGH");
  if (wish != nullptr && std::string_view{wish} == "write")
    std::ofstream{path, std::ios::binary} << current;
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::runtime_error("there is no playthrough at " + path);
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace gamehub::tests
