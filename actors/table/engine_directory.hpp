// The engines and protocols of this hub by index, and which protocol supports which engine. All
// loops share it. The protocols are fixed at the start; one thread may add engines later. An index
// never changes.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/base/append_only.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/wire.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::actors::table {

// One version of an engine.
struct engine_entry {
  engines::host::engine rules;
  engine_traits traits;
  // All versions of one id are one kind. Players wait for a kind, and metrics count by kind.
  std::uint16_t kind = 0;
  // Examples of its moves for clients, as JSON; empty: none could be made.
  std::string examples = {};
};

// Returns the traits of games with these options (JSON), with the options in canonical form, or the
// error text. Empty options are the defaults. `rules` are those of the entry, in the process that
// is asked. Throws engine_failure.
std::variant<engine_traits, std::string> traits_for_options(const engine_entry&,
                                                            const engines::host::engine& rules,
                                                            std::string_view options);
inline std::variant<engine_traits, std::string> traits_for_options(const engine_entry& of,
                                                                   std::string_view options) {
  return traits_for_options(of, of.rules, options);
}

// The default opponent of a protocol: other waiting players, an engine, or the player with this
// name.
struct opponent {
  bool is_engine = false;
  engines::level skill =
      engines::level::perfect;  // of the engine, also if a seek requests an engine
  std::string name = {};        // empty: no opponent by name
};

// One protocol.
struct wire_entry {
  std::string name;
  view_form form = view_form::cells;
  std::chrono::seconds grace{0};  // time for which a player without attachment keeps its games
  // Returns why the protocol does not support an engine, or nothing. Null: it supports all.
  std::optional<std::string> (*unsupported_reason)(const engine_traits&) = nullptr;
  actors::table::opponent opponent = {};
  // The gateway closes its attachments itself: sessions have neither handshake nor idle time.
  bool own_clocks = false;
  // Of an engine without cells, clients get documents whatever `form` is.
  bool documents_without_cells = false;
  // False: when the hub is full, the gateway decides which of its clients make room.
  bool hub_makes_room = true;
  hub_crossing crossing = hub_crossing::none;

  view_form form_of(const engines::host::engine& engine) const {
    return documents_without_cells && !engine.has_cells() ? view_form::document : form;
  }
  std::optional<std::string> why_not(const engine_traits& engine) const {
    return unsupported_reason == nullptr ? std::nullopt : unsupported_reason(engine);
  }
};

struct engine_directory {
  base::append_only<engine_entry, limits::engines_max> engines;
  std::vector<wire_entry> wires;

  // Returns the index of the new engine, or nothing if the directory is full. `examples` as in its
  // entry.
  std::optional<std::uint16_t> add(const engines::host::engine&, engine_traits,
                                   std::string examples = {});

  // Return the newest version, which new games use. Requires, of the second one: there is this
  // kind.
  std::optional<std::uint16_t> find_engine(std::string_view id) const;
  std::uint16_t newest(std::uint16_t kind) const {
    return (*newest_)[kind].load(std::memory_order_acquire);
  }
  // Returns the version that a log names: "1.0.0".
  std::optional<std::uint16_t> find_engine(std::string_view id, std::string_view version) const;

  // Returns what a client of the protocol may ask for, as text: "there are connect-four, gomoku".
  std::string playable_engines(const wire_entry&) const;

  // Returns the number of kinds. Kinds are numbered from 0 in the order of addition.
  std::uint16_t kinds() const;

 private:
  // By kind.
  using newest_list = std::array<std::atomic<std::uint16_t>, limits::engines_max>;
  std::unique_ptr<newest_list> newest_ = std::make_unique<newest_list>();
};

}  // namespace gamehub::actors::table
