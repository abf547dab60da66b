// The description of a protocol: name, port, settings, and the engines that it can carry. A folder
// `x` defines `gamehub::gateways::x::describe()`; the build finds the folder and lists it in
// protocols(). How its clients get in is in its make_listener.cpp (gateways/net/listener.hpp).
// Immutable, any thread.
#pragma once

#include "gateways/codec.hpp"
#include "hub/core/wire.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::gateways {

// What a protocol counts in the metrics besides its connections and bytes.
enum class wire_counters : std::uint8_t { none, datagrams, requests };

struct protocol_info {
  // The name in settings (--NAME-port), metrics and the ready line. Each protocol has a different
  // one.
  std::string_view name;
  // One line for --help: the protocol and its specification.
  std::string_view summary;
  std::uint16_t port_default = 0;
  // The protocol whose port this protocol shares; its rank is lower. Empty: it has its own port.
  std::string_view port_owner = {};
  // The position in the ready line and in --help.
  int rank = 0;
  // The form in which clients get positions.
  view_form form = view_form::cells;
  // With view_form::cells: of an engine without cells they get documents.
  bool documents_without_cells = false;
  // A port is bound to one engine by configuration (--NAME-engine), because no message can name an
  // engine.
  bool engine_per_port = false;

  // False: there is no --NAME-opponent, because the hub chooses the opponents.
  bool has_opponent_setting = true;
  // The default of --NAME-opponent is the engine player, not the lobby.
  bool against_engine = false;
  // How long a disconnected player keeps its games by default (--NAME-grace-seconds). Nothing: the
  // protocol has no connection that could break, and no such setting.
  std::optional<std::chrono::seconds> grace_default = std::chrono::seconds{0};
  // That default is at least the time of a turn (--turn-seconds).
  bool grace_covers_turn = false;
  // The gateway itself detects that a client has left or is idle; the hub's times do not apply.
  bool own_timeouts = false;
  // False: when the hub is full, the gateway decides which of its clients make room. Its guests
  // take no place of --connections-max.
  bool hub_makes_room = true;
  hub_crossing crossing = hub_crossing::none;
  wire_counters counts = wire_counters::none;

  // Makes the codec of one connection; null: the protocol has no codec. `engine` is the port's
  // engine if engine_per_port is set, else empty; it outlives the codec.
  std::unique_ptr<codec> (*make_codec)(const engine_traits& engine) = nullptr;

  // Returns why an engine cannot be played over this protocol, as the end of the sentence "X can't
  // be played over NAME: it …", or nothing if it can.
  std::optional<std::string> (*unsupported_reason)(const engine_traits&) = nullptr;
};

// Returns all protocols, ordered by rank.
std::span<const protocol_info* const> protocols();

}  // namespace gamehub::gateways
