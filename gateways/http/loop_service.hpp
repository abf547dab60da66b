// The HTTP wire on one loop: its listening socket, its connections, and what they and the clients
// that live here share. Made by make_servers(), used on its loop's thread once started.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "gateways/http/openapi.hpp"
#include "gateways/http/server/directory.hpp"
#include "gateways/http/server/guest_book.hpp"
#include "gateways/http/server/server.hpp"
#include "gateways/http/updates.hpp"
#include "gateways/net/listener.hpp"
#include "hub/core/entropy.hpp"

namespace gamehub::gateways::http::server {

class connection;
class update_stream;
class loop_service;

// What the services of all loops share.
struct shared_context {
  shared_context(server_setup s, random_source& luck)
      : setup(std::move(s)),
        guests(setup.guests_max),
        gates(setup.gates, luck),
        document(openapi_document(setup.public_url)) {}

  server_setup setup;
  directory clients;
  guest_book guests;
  rate_limiter gates;
  const std::string document;  // OpenAPI
  std::vector<loop_service*> services;
  std::atomic<std::uint32_t> connections{0};
};

class loop_service final : public net::listener, public net::loop_iteration_listener {
 public:
  // Requires: the loop runs none of its turns after this is gone.
  loop_service(std::shared_ptr<shared_context>, server_address, net::connections_per_address&);
  ~loop_service() override;
  loop_service(const loop_service&) = delete;
  loop_service& operator=(const loop_service&) = delete;

  void start() override { listener_.start(); }
  void stop(std::function<void()> on_all_closed) override;
  void end_turn() override;
  void close_banned() override;
  void announce(const std::string& message) override;

  net::loop_io& loop() const { return *wire_.loop; }
  gamehub::session_acceptor& session_acceptor() const { return *wire_.desk; }
  spectator_service& games() const { return *games_; }
  const server_setup& setup() const { return all_->setup; }
  rate_limiter& gates() const { return all_->gates; }
  directory& clients() const { return all_->clients; }
  random_source& luck() { return luck_; }
  metrics::wire_cells& cells() const { return wire_.loop->cells().wires[wire_.number]; }

  // The hub goes down: no connection stays for another request.
  bool stopping() const { return stopping_; }
  // There are as many connections as there may be.
  bool full() const { return all_->connections.load() > all_->setup.connections_max; }

  // This connection wants to be flushed at the end of the turn, and to go on when the loop reads.
  void add_dirty(std::shared_ptr<connection> c) { dirty_.push_back(std::move(c)); }
  void held(std::shared_ptr<connection> c) { held_.push_back(std::move(c)); }

  // This answer is on its way.
  void answered(const event& e) { wire_.loop->answered(wire_.number, e); }

  // Who reads updates here, so that it hears of guests.
  void reads(update_stream&);
  void remove_stream(update_stream&);
  // A guest of the game, with a name of its own if it is listed.
  std::optional<std::string> add_listed_guest(game_id, std::span<const std::string> players);
  void remove_listed_guest(game_id, const std::string& name);
  // Tells all who read the game, on all loops.
  void publish_guest_change(game_id, const std::variant<came, went>&);

  // An update as JSON; good until the next call.
  std::string_view json_of(const update_ref&);

  // A connection that becomes a WebSocket: from now on it is this one's. `first` is what it is
  // told, `read` what it has said already. Requires: has_sockets().
  void open_socket(net::stream_socket, std::function<void()> gone, std::string first,
                   std::string_view read);
  bool has_sockets() const { return socket_protocol_ != nullptr; }
  // The connection is closed, or no longer one of requests.
  void forget(connection* c) { connections_.erase(c); }

  // The time of day as answers have it.
  std::string_view date();
  // GET /api/openapi.json.
  const std::string& document() const { return all_->document; }
  // GET /api/engines.
  const std::string& engine_list();

 private:
  void on_guest_change(game_id, const update&);
  std::vector<std::shared_ptr<connection>> connection_list() const;
  void welcome(net::stream_socket, const net::tcp::endpoint&, std::function<void()> gone);

  std::shared_ptr<shared_context> all_;
  net::listener_context wire_;
  net::listener_context websocket_context_;
  const protocol* socket_protocol_;
  spectator_service* games_;
  system_entropy luck_;
  std::unordered_set<connection*> connections_;
  std::vector<std::shared_ptr<connection>> dirty_, flushing_, held_;
  std::unordered_multimap<game_id, update_stream*> readers_;
  // Several readers of a game get the same update one after the other.
  update_ref latest_;
  std::string latest_json_;
  std::string date_;
  instant date_until_{};
  std::string engine_list_;
  instant engine_list_until_{};
  bool stopping_ = false;
  net::listener listener_;
};

}  // namespace gamehub::gateways::http::server
