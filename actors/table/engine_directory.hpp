// What this hub offers: its engines and its wires, numbered, and which engine can be played over
// which wire. Shared by all loops. Wires are all there from the start; engines may still come, one
// thread adding them, and keep their numbers for ever.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engines/engine.hpp"
#include "hub/core/append_only.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::actors {

// One version of an engine.
struct engine_entry {
  engines::engine rules;
  engine_traits traits;
  // All versions of one id are a kind: what players wait for, and what is counted by.
  std::uint16_t kind = 0;
};

// The traits of an engine's games with these options (JSON), which are then in their one spelling;
// or why there are no such games. Empty options are the defaults.
std::variant<engine_traits, std::string> traits_for_options(const engine_entry&, std::string_view options);

// Whom the players of a wire meet: who else waits in the lobby, the house, or one who waits there
// to be asked for by this name.
struct opponent {
  bool is_engine = false;
  engines::level skill =
      engines::level::perfect;  // of the house, also where one player asks for it
  std::string name = {};        // empty: nobody by name
};

struct wire_entry {
  std::string name;
  view_form form = view_form::cells;
  std::chrono::seconds grace{0};  // how long a player keeps its games without attachment
  // Why an engine can't be played over this wire, if it can't; none: all can.
  std::optional<std::string> (*unsupported_reason)(const engine_traits&) = nullptr;
  actors::opponent opponent = {};
  // Its gateway ends its attachments by itself: there is neither handshake nor idle time.
  bool own_clocks = false;

  std::optional<std::string> why_not(const engine_traits& engine) const {
    return unsupported_reason == nullptr ? std::nullopt : unsupported_reason(engine);
  }
};

struct catalog {
  append_only<engine_entry, limits::engines_max> engines;
  std::vector<wire_entry> wires;

  // The number of the new engine; nothing if there is no room.
  std::optional<std::uint16_t> add(const engines::engine&, engine_traits);

  // The newest version: what new games are played with.
  std::optional<std::uint16_t> find_engine(std::string_view id) const;
  std::uint16_t newest(std::uint16_t kind) const;
  // The version of which a log speaks: "1.0.0".
  std::optional<std::uint16_t> find_engine(std::string_view id, std::string_view version) const;

  // Kinds are numbered from 0 as they came.
  std::uint16_t kinds() const;
};

}  // namespace gamehub::actors
