// What a folder of gateways/ tells the hub about its protocol: a name, a port, how to make what
// speaks it, which engines it can carry. A folder `x` defines `gamehub::gateways::x::describe()`;
// the build finds the folder and lists it in protocols(). Immutable, any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gateways/codec.hpp"
#include "gateways/datagrams.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::gateways {

struct protocol {
  // The name of its settings (--NAME-port), of its metrics and of its place in the ready line:
  // the folder's.
  std::string_view name;
  // One line for --help: what it is and where it is specified.
  std::string_view summary;
  std::uint16_t port_default = 0;
  // It has no port of its own: its clients come by that protocol, of requests, and it is served
  // where that one is.
  std::string_view behind = {};
  // Order in the ready line and in --help.
  int rank = 0;
  // The form in which its clients see a game.
  view_form form = view_form::cells;
  // The engine of a port is configuration (--NAME-engine), because the wire can't name one.
  bool engine_per_port = false;

  // Its players meet the engine's own player, where --NAME-opponent does not say otherwise.
  bool against_engine = false;

  // Of a protocol over a stream: a codec for one connection. `engine` is the port's, where
  // engine_per_port; else empty.
  std::unique_ptr<codec> (*make_codec)(const engine_traits& engine) = nullptr;

  // Of a protocol of datagrams: what speaks it at the sockets of one wire.
  datagram_protocols (*make_datagrams)(const datagram_setup&, random_source&) = nullptr;

  // Of a protocol of requests (HTTP), whose servers are not made here: they know sockets.
  bool over_requests = false;

  // Of clients that the hub calls (bots): who calls them knows sockets, too. They have no port, and
  // they come by word of the protocol that this one is behind.
  bool over_calls = false;

  // Exactly one of the four is there.
  bool over_datagrams() const { return make_datagrams != nullptr; }
  bool over_streams() const { return make_codec != nullptr; }

  // How long a player that has vanished keeps its games, where --NAME-grace-seconds does not say.
  std::chrono::seconds grace_default{0};

  // Why an engine can't be played over this wire, as the end of the sentence "X can't be
  // played over NAME: it …"; nothing if it can.
  std::optional<std::string> (*unsupported_reason)(const engine_traits&) = nullptr;
};

// All protocols of the tree, by rank.
std::span<const protocol* const> protocols();

}  // namespace gamehub::gateways
