// The HTTP protocol on one loop: its listening socket, and what its connections and players share.
// Made by the listener of HTTP, used on its loop's thread once started.
#pragma once

#include "gateways/http/anonymous_names.hpp"
#include "gateways/http/client_table.hpp"
#include "gateways/http/gzip.hpp"
#include "gateways/http/idle_connections.hpp"
#include "gateways/http/openapi.hpp"
#include "gateways/http/request_relay.hpp"
#include "gateways/http/response_bodies.hpp"
#include "gateways/http/server.hpp"
#include "gateways/http/updates.hpp"
#include "gateways/net/codec_listener.hpp"
#include "gateways/net/stream_listener.hpp"
#include "hub/base/random.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
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

class combined_stream;
class connection;
class http_player;
class update_stream;
class loop_service;

// What the services of all loops share.
struct shared_context {
  shared_context(server_setup s, base::random_source& random)
      : setup(std::move(s)),
        guests(setup.guests_max, random),
        limiter(setup.rate_limits, random),
        document(openapi_document(setup.public_url)) {}

  server_setup setup;
  client_table clients;
  anonymous_registry guests;
  rate_limiter limiter;
  const std::string document;  // OpenAPI
  std::vector<loop_service*> services;
  std::atomic<std::uint32_t> connections{0};
  std::unique_ptr<request_relay> relay;  // null: there are no other hubs
};

class loop_service final : public net::loop_listener {
 public:
  loop_service(std::shared_ptr<shared_context>, const net::loop_context&, spectator_service&,
               net::stream_listener::acceptor, address_ledger&);
  ~loop_service() override;
  loop_service(const loop_service&) = delete;
  loop_service& operator=(const loop_service&) = delete;

  void start() override { listener_.start(); }
  void stop(std::function<void()> on_all_closed) override;
  void announce(const std::string& message) override;

  // Return what the loop and all loops share.
  net::loop_io& loop() const { return *context_.loop; }
  const net::loop_context& context() const { return context_; }
  spectator_service& games() const { return games_; }
  const server_setup& setup() const { return shared_->setup; }
  rate_limiter& limiter() const { return shared_->limiter; }
  client_table& clients() const { return shared_->clients; }
  request_relay* relay() const { return shared_->relay.get(); }
  base::random_source& random() { return random_; }
  // Returns the account of the client that sent a request; null: it has no limits.
  address_account_ref account_of(const rate_limiter::origin& from) const {
    return from.exempt ? nullptr : addresses_.account_of(from.address);
  }
  metrics::wire_cells& cells() const { return context_.loop->cells().wires[context_.number]; }

  // True while the hub is stopping: no connection stays open for another request.
  bool stopping() const { return stopping_; }
  // True if the limit of connections over all loops is exceeded.
  bool full() const { return excess_connections() > 0; }
  // The number of connections over that limit.
  std::uint32_t excess_connections() const {
    const auto open = shared_->connections.load(), most = shared_->setup.connections_max;
    return open > most ? open - most : 0;
  }

  // Sets whether a player of this loop is unused, since now.
  void set_unused(http_player&, bool);
  // Ends the session of the player that has been unused for the longest time; of this address, if
  // it is given. Returns false if no player is unused; then the other loops make room for the next
  // client.
  bool drop_unused(const address_account* of = nullptr);

  // The connections of this loop that wait for a request.
  idle_connections& idle() { return idle_; }
  // Closes one of them, else one of another loop. Calls `then` on this loop with whether there was
  // one, later if another loop is asked.
  void make_room(std::function<void(bool made)> then);

  // Records the reply to a player's intent for move_duration.
  void record_answer(const event& e) { context_.loop->record_answer(context_.number, e); }

  // Add and remove the streams of this loop, which get the changes of guests.
  void add_stream(update_stream&);
  void remove_stream(update_stream&);
  // Adds a guest of a game; returns its name if it is listed. Removes it, and publishes that.
  std::optional<std::string> add_listed_guest(game_id, std::span<const std::string> players);
  void remove_listed_guest(game_id, const std::string& name);
  // Add and remove the streams of this loop that have a line of each notice.
  void add_listener(combined_stream& who) { listeners_.insert(&who); }
  void remove_listener(combined_stream& who) { listeners_.erase(&who); }
  // Publishes a guest's arrival or departure to the streams of a game on all loops and hubs.
  void publish_guest_change(game_id, game_update::kind, const std::string& name);
  // The same of a guest of another hub, to the streams of this loop.
  void on_guest_change_elsewhere(game_id, const std::string& name, bool left);

  // Publishes an offer to the player's own streams of a game on all loops; none: there will be no
  // more.
  void publish_offer(const std::shared_ptr<http_player>& to, game_id,
                     const std::optional<offer_update>&);

  // Returns an update for guests as the text of a stream, an event or a line, with the present
  // state of the game if it is the latest update; valid until the next call.
  const std::string& text_of(const update_ref&, const present_ref&, bool as_event);

  // Sets what takes over a connection that becomes a WebSocket, and calls it. Until it is set such
  // a connection is just closed.
  void set_upgrade(net::upgrade_host::upgrade to) { upgrade_ = std::move(to); }
  void upgrade(net::accepted_stream from, std::string_view unread) {
    if (upgrade_) upgrade_(std::move(from), unread);
  }

  const gzip_writer& gzip() const { return gzip_; }
  // Returns what an operator has said to all lately, or null.
  const notice* latest_notice() const;
  // Returns it as a line of a combined stream, or nothing.
  std::string notice_line() const;

  // Returns the current value of the Date field.
  std::string_view date();
  // Returns the body of GET /api/openapi.json.
  const std::string& document() const { return shared_->document; }
  // Returns the title of an engine, or the id of an unknown one.
  std::string title_of(std::string_view engine) const;
  // Returns the body of GET /api/engines.
  const std::string& engine_list();
  // Returns the body of GET /api/engines/{engine}, or nothing.
  std::optional<std::string> engine_text(std::string_view id);

 private:
  void refresh_engines();
  bool drop_idle();
  // Asks the other loops one after the other, from this number on.
  void make_room_elsewhere(std::size_t from, std::function<void(bool made)> then);
  void on_guest_change(game_id, const game_update&);
  // Sends the update to these streams: to a few now, to the others in the next iterations.
  void send_to(std::vector<std::shared_ptr<update_stream>>, game_update);
  void send_next();
  void on_offer(const http_player& to, game_id, const std::optional<offer_update>&);
  // Returns the streams of a game, which may end while they are called.
  std::vector<std::shared_ptr<update_stream>> streams_of(game_id) const;

  std::shared_ptr<shared_context> shared_;
  net::loop_context context_;
  net::upgrade_host::upgrade upgrade_;
  spectator_service& games_;
  address_ledger& addresses_;
  base::system_entropy random_;
  std::unordered_map<game_id, std::unordered_set<update_stream*>> streams_;
  // Updates of send_to(), each with the streams that do not have it yet.
  struct unsent_update {
    std::vector<std::shared_ptr<update_stream>> to;
    game_update what;
  };
  std::deque<unsent_update> unsent_;
  std::unordered_set<combined_stream*> listeners_;
  std::list<http_player*> unused_;  // the longest unused first
  idle_connections idle_;
  // The latest update as text, because several streams of a game send it one after the other.
  update_ref latest_;
  present_ref latest_present_;
  base::instant latest_until_{};  // its clock is old then
  std::string latest_line_, latest_event_;
  notice notice_;
  base::instant notice_until_{};
  gzip_writer gzip_;
  std::string date_;
  base::instant date_until_{};
  std::vector<engine_account> engines_;
  std::string engine_list_;
  base::instant engines_until_{};
  bool stopping_ = false;
  net::stream_listener listener_;
};

}  // namespace gamehub::gateways::http
