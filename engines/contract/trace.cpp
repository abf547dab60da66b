#include "engines/contract/trace.hpp"

#include "engines/contract/information_leak_check.hpp"
#include "engines/contract/random_game.hpp"

#include <utility>
#include <variant>

namespace gamehub::engines::contract {

namespace {

std::vector<aspect> printable_aspects_of(const host::match& m) {
  auto out = aspects_of(m);
  for (auto& each : out)
    if (each.name == saved_bytes) each.value = in_hex(each.value);
  return out;
}

}  // namespace

void trace(const host::engine& rules, const settings& with,
           const std::function<bool(const game_position&, const std::vector<aspect>&)>& take) {
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() + with.time_max;
  for (int i = 0; i < with.playouts; ++i) {
    const auto seed = with.seed + static_cast<std::uint64_t>(i);
    game_position here{
        true, seed, random_setup(rules, {with.options_json, with.players}, seed), {}, {}};
    auto made = rules.create(here.with.options_json, here.with.players);
    auto* begun = std::get_if<host::match>(&made);
    if (begun == nullptr) return;
    random_game game{std::move(*begun), seed};
    for (;;) {
      if (with.at) with.at(here);
      if (!take(here, printable_aspects_of(game.state()))) return;
      if (with.time_max.count() > 0 && steady_clock::now() > end) return;
      if (game.over() || here.turns.size() > rules.plies_max()) break;
      here.turns.push_back(game.draw());
      if (game.take(here.turns.back()) != nullptr) return;
    }
  }
}

}  // namespace gamehub::engines::contract
