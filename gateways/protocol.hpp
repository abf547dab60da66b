// The description of a protocol: name, port, factory, and the engines that it can carry. A folder
// `x` defines `gamehub::gateways::x::describe()`; the build finds the folder and lists it in
// protocols(). Immutable, any thread.
#pragma once

#include "gateways/codec.hpp"
#include "gateways/datagrams.hpp"
#include "hub/core/wire.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::gateways {

struct protocol_info {
  // The name in settings (--NAME-port), metrics and the ready line. Each protocol has a different
  // one.
  std::string_view name;
  // One line for --help: the protocol and its specification.
  std::string_view summary;
  std::uint16_t port_default = 0;
  // The protocol of requests whose port and listener this protocol shares. Empty: it has its own
  // port.
  std::string_view behind = {};
  // The position in the ready line and in --help.
  int rank = 0;
  // The form in which clients get positions.
  view_form form = view_form::cells;
  // A port is bound to one engine by configuration (--NAME-engine), because no message can name an
  // engine.
  bool engine_per_port = false;

  // The default of --NAME-opponent is the engine player, not the lobby.
  bool against_engine = false;

  // Stream protocols: makes the codec of one connection. `engine` is the port's engine if
  // engine_per_port is set, else empty.
  std::unique_ptr<codec> (*make_codec)(const engine_traits& engine) = nullptr;

  // Datagram protocols: makes one datagram_protocol for each socket of the port.
  datagram_protocols (*make_datagrams)(const datagram_setup&, base::random_source&) = nullptr;

  // Request protocols (HTTP): hub/server makes the listeners, because they own sockets.
  bool over_requests = false;

  // Clients that the hub calls (bots). They have no port; they register over the protocol in
  // `behind`.
  bool over_calls = false;

  // Exactly one of the four kinds applies.
  bool over_datagrams() const { return make_datagrams != nullptr; }
  bool over_streams() const { return make_codec != nullptr; }

  // How long a disconnected player keeps its games by default (--NAME-grace-seconds).
  std::chrono::seconds grace_default{0};

  // Returns why an engine cannot be played over this protocol, as the end of the sentence "X can't
  // be played over NAME: it …", or nothing if it can.
  std::optional<std::string> (*unsupported_reason)(const engine_traits&) = nullptr;
};

// Returns all protocols, ordered by rank.
std::span<const protocol_info* const> protocols();

}  // namespace gamehub::gateways
