// A request that is passed from a connection to its http_player, which may live on another loop,
// and the handle for its response. Values that are moved; a request is answered once.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/request.hpp"
#include "gateways/http/routes.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/webhook_registry.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::gateways::http {

class loop_service;
class responder;
class update_stream;
struct kept_request;

// The destination of a response. Copies refer to the same response.
class response_handle {
 public:
  response_handle() = default;
  explicit response_handle(std::shared_ptr<responder> to) : to_(std::move(to)) {}

  // Sends the response. Any loop.
  void send(const loop_service& here, response&&) const;
  void send(const loop_service& here, const error& e) const { send(here, to_response(e)); }

 private:
  std::shared_ptr<responder> to_;
};

// The parameters of POST /api/play.
struct play_request {
  bool resume = false;
  bool new_game = false;  // gives the seat of a game that waits up for another
  bool against_engine = false;
  bool keep = false;  // the running game of days goes on beside the new one
  bool closed = false;
  bool opponent_ready = false;  // refused if the opponent is not online
  std::optional<seat_index> seat;
  gamehub::game_id join;  // the game to join; zero: any
  std::string engine, options, opponent, level, invitation, clock;
  std::vector<seat_filler> others;
};

struct client_request {
  operation what = operation::connect;
  response_handle to;
  base::instant received{};
  std::string game_id;                 // empty: not given
  bool history = true;                 // of GET /api/games/{id}: include the updates
  gamehub::move move;                  // of move
  std::uint64_t repeated_after = 0;    // of move, as of gamehub::play
  gamehub::offer offer;                // of offer, without its game
  std::string message;                 // of chat; of rename: the name; of invitation: its secret
  std::unique_ptr<play_request> play;  // of play only
  std::unique_ptr<webhook_request> webhook;  // of set_webhook only, without its player
  // Of updates: the stream that waits to learn whether its client is a player.
  std::shared_ptr<update_stream> stream;
  bool looked_for_seat = false;  // the hub has shown the game if it is one of the client's
  bool opens = false;  // connect, or a play that opens a session: the answer names the player
  // Of these: the secret to return to its owner; empty: the hub that has read the request does it.
  std::string client_id;
  // To pass it on if its client's player is at another hub; null: there is no other hub.
  std::shared_ptr<kept_request> kept;
};

}  // namespace gamehub::gateways::http
