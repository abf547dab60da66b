#include "tests/contract/engine_contract.hpp"

#include "engines/contract/perft.hpp"
#include "tests/support/golden.hpp"

#include <cstdlib>
#include <stdexcept>

namespace gamehub::tests {

std::uint64_t seed_of_this_run() {
  const char* text = std::getenv("GAMEHUB_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

std::vector<std::string> violations(const engines::host::engine& rules,
                                    engines::contract::settings with) {
  if (with.seed == engines::contract::settings{}.seed) with.seed = seed_of_this_run();
  return engines::contract::violations(rules, with);
}

engines::host::engine built_in(std::string_view id) {
  if (auto found = engines::host::registry::built_in().find(id)) return *found;
  throw std::out_of_range("no engine of this id was compiled in: " + std::string{id});
}

std::vector<std::uint64_t> games_of_each_length(const engines::host::engine& rules, int moves_max,
                                                const engines::contract::game_setup& with) {
  std::vector<std::uint64_t> out;
  for (const auto& row : engines::contract::perft(rules, with, moves_max)) out.push_back(row.nodes);
  return out;
}

std::string kept_playthrough(const std::string& path, std::string_view current) {
  return kept_text(path, current, "GAMEHUB_PLAYTHROUGH");
}

}  // namespace gamehub::tests
