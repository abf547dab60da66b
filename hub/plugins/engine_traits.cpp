#include "hub/plugins/engine_traits.hpp"

#include <string>
#include <variant>

namespace gamehub::plugins {

engine_traits traits_of(const engines::host::engine& engine) {
  engine_traits t;
  t.id = engine.id();
  t.title = engine.title();
  t.players = engine.players_min();
  t.players_max = engine.players_max();
  t.actions_max = engine.actions_max();
  t.simultaneous = engine.simultaneous();
  t.perfect_information = engine.perfect_information();
  t.allows_takeback = engine.allows_takeback();
  auto created = engine.create({});
  const auto* match = std::get_if<engines::host::match>(&created);
  if (!engine.has_cells() || match == nullptr) return t;
  const auto size = match->cells();
  t.rows = size.rows;
  t.columns = size.columns;
  match->glyphs(engines::spectator, t.start);
  for (int seat = 0; seat < t.players; ++seat) t.marks.push_back(engine.mark(seat));
  return t;
}

}  // namespace gamehub::plugins
