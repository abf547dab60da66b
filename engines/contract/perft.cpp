#include "engines/contract/perft.hpp"

#include "engines/contract/random_game.hpp"

#include <cstddef>
#include <variant>

namespace gamehub::engines::contract {

namespace {

void count(const host::match& m, std::size_t depth, std::vector<perft_row>& rows) {
  auto& row = rows[depth];
  ++row.nodes;
  const auto movers = seats_to_move(m);
  if (movers.empty()) {
    ++row.ended;
    return;
  }
  if (depth + 1 == rows.size()) return;
  std::vector<action> legal;
  m.legal_actions(movers.front(), legal);
  for (const auto a : legal) {
    host::match next = m.clone();
    if (next.apply(movers.front(), a) != nullptr)
      throw host::engine_failure("the engine refuses a legal action");
    count(next, depth + 1, rows);
  }
}

}  // namespace

std::optional<std::string> uncountable(const host::engine& rules) {
  if (rules.simultaneous()) return "its players move at the same time";
  if (!rules.perfect_information()) return "it has hidden information";
  return std::nullopt;
}

std::vector<perft_row> perft(const host::engine& rules, const game_setup& with, int depth) {
  std::vector<perft_row> rows;
  for (int i = 0; i <= depth; ++i) rows.push_back({i, 0, 0});
  auto made = rules.create(with.options_json, with.players);
  count(std::get<host::match>(made), 0, rows);
  return rows;
}

}  // namespace gamehub::engines::contract
