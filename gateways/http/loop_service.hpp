// The HTTP protocol on one loop: its listening socket, its connections, and what they and the
// players of this loop share. Made by make_servers(), used on its loop's thread once started.
#pragma once

#include "gateways/http/anonymous_names.hpp"
#include "gateways/http/client_table.hpp"
#include "gateways/http/openapi.hpp"
#include "gateways/http/server.hpp"
#include "gateways/http/updates.hpp"
#include "gateways/net/stream_listener.hpp"
#include "hub/base/random.hpp"

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
#include <vector>

namespace gamehub::gateways::http {

class connection;
class update_stream;
class loop_service;

// What the services of all loops share.
struct shared_context {
  shared_context(server_setup s, base::random_source& random)
      : setup(std::move(s)),
        guests(setup.guests_max),
        limiter(setup.rate_limits, random),
        document(openapi_document(setup.public_url)) {}

  server_setup setup;
  client_table clients;
  anonymous_registry guests;
  rate_limiter limiter;
  const std::string document;  // OpenAPI
  std::vector<loop_service*> services;
  std::atomic<std::uint32_t> connections{0};
};

class loop_service final : public net::listener, public net::loop_iteration_listener {
 public:
  // Requires: the loop runs no iteration after this object is destroyed.
  loop_service(std::shared_ptr<shared_context>, server_address, net::connections_per_address&);
  ~loop_service() override;
  loop_service(const loop_service&) = delete;
  loop_service& operator=(const loop_service&) = delete;

  void start() override { listener_.start(); }
  void stop(std::function<void()> on_all_closed) override;
  void end_turn() override;
  void close_banned() override;
  void announce(const std::string& message) override;

  // Return what the loop and all loops share.
  net::loop_io& loop() const { return *context_.loop; }
  gamehub::session_acceptor& sessions() const { return *context_.sessions; }
  spectator_service& games() const { return *games_; }
  const server_setup& setup() const { return shared_->setup; }
  rate_limiter& limiter() const { return shared_->limiter; }
  client_table& clients() const { return shared_->clients; }
  base::random_source& random() { return random_; }
  metrics::wire_cells& cells() const { return context_.loop->cells().wires[context_.number]; }

  // True while the hub is stopping: no connection stays open for another request.
  bool stopping() const { return stopping_; }
  // True if the limit of connections over all loops is exceeded.
  bool full() const { return shared_->connections.load() > shared_->setup.connections_max; }

  // Add a connection to be flushed at the end of the iteration, or to be resumed when the loop
  // reads again.
  void add_dirty(std::shared_ptr<connection> c) { dirty_.push_back(std::move(c)); }
  void add_paused(std::shared_ptr<connection> c) { paused_.push_back(std::move(c)); }

  // Records the reply to a player's intent for move_duration.
  void record_answer(const event& e) { context_.loop->record_answer(context_.number, e); }

  // Add and remove the streams of this loop, which get the changes of guests.
  void add_stream(update_stream&);
  void remove_stream(update_stream&);
  // Adds a guest of a game; returns its name if it is listed. Removes it, and publishes that.
  std::optional<std::string> add_listed_guest(game_id, std::span<const std::string> players);
  void remove_listed_guest(game_id, const std::string& name);
  // Publishes a guest's arrival or departure to the streams of a game on all loops.
  void publish_guest_change(game_id, game_update::kind, const std::string& name);

  // Returns an update as the text of a stream, an event or a line; valid until the next call.
  const std::string& text_of(const update_ref&, bool as_event);

  // Takes over the socket of a connection that becomes a WebSocket. `first` is sent first, `read`
  // holds bytes already read. Requires: has_sockets().
  void open_socket(net::stream_socket, std::function<void()> on_closed, std::string first,
                   std::string_view read);
  bool has_sockets() const { return socket_protocol_ != nullptr; }
  // Removes a connection that is closed or has become a WebSocket.
  void remove(connection* c) { connections_.erase(c); }

  // Returns the current value of the Date field.
  std::string_view date();
  // Returns the body of GET /api/openapi.json.
  const std::string& document() const { return shared_->document; }
  // Returns the body of GET /api/engines.
  const std::string& engine_list();

 private:
  void on_guest_change(game_id, const game_update&);
  std::vector<std::shared_ptr<connection>> connection_list() const;
  void add_guest(net::stream_socket, const net::tcp::endpoint&, std::function<void()> on_closed);

  std::shared_ptr<shared_context> shared_;
  net::listener_context context_;
  net::listener_context websocket_context_;
  const protocol_info* socket_protocol_;
  spectator_service* games_;
  base::system_entropy random_;
  std::unordered_set<connection*> connections_;
  std::vector<std::shared_ptr<connection>> dirty_, flushing_, paused_;
  std::unordered_multimap<game_id, update_stream*> streams_;
  // The latest update as text, because several streams of a game send it one after the other.
  update_ref latest_;
  std::string latest_line_, latest_event_;
  std::string date_;
  base::instant date_until_{};
  std::string engine_list_;
  base::instant engine_list_until_{};
  bool stopping_ = false;
  net::stream_listener listener_;
};

}  // namespace gamehub::gateways::http
