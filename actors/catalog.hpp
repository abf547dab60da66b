// What this hub offers: its engines and its wires, numbered, and which engine can be played over
// which wire. Made once at the start, then shared by all loops and never changed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::actors {

struct engine_entry {
  engines::engine rules;
  engine_traits traits;
};

struct wire_entry {
  std::string name;
  view_form form = view_form::cells;
  std::chrono::seconds grace{0};  // how long a player keeps its games without attachment
  // By engine: why it can't be played over this wire, if it can't.
  std::vector<std::optional<std::string>> unfit;
};

struct catalog {
  std::vector<engine_entry> engines;
  std::vector<wire_entry> wires;

  std::optional<std::uint16_t> find_engine(std::string_view id) const {
    for (std::size_t i = 0; i < engines.size(); ++i)
      if (engines[i].traits.id == id) return static_cast<std::uint16_t>(i);
    return std::nullopt;
  }
};

}  // namespace gamehub::actors
