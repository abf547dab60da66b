// A request on its way from a connection to its client, who may live on another loop, and the way
// back of its answer. Values that are moved; the answer is given once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gateways/http/errors.hpp"
#include "gateways/http/request.hpp"
#include "gateways/http/routes.hpp"
#include "hub/core/intent.hpp"

namespace gamehub::gateways::http::server {

class connection;
class loop_service;
class update_stream;

// Where an answer goes. Copies are about the same answer.
class reply {
 public:
  reply() = default;
  explicit reply(std::shared_ptr<connection> to) : to_(std::move(to)) {}

  // From any loop.
  void send(const loop_service& here, response&&) const;
  void send(const loop_service& here, const error& e) const { send(here, to_response(e)); }

 private:
  std::shared_ptr<connection> to_;
};

// What play asks for.
struct play_wish {
  bool resume = false;
  bool against_engine = false;
  bool closed = false;
  bool opponent_ready = false;  // or it is refused
  std::optional<seat_index> seat;
  std::string engine, options, opponent, level, invitation;
};

struct ask {
  operation what = operation::connect;
  reply to;
  instant received{};
  std::string game_id;              // empty: none is named
  bool history = true;              // of game: with the updates so far
  gamehub::move move;               // of move
  std::string message;              // of chat
  std::unique_ptr<play_wish> wish;  // of play
  // Of updates, which are read meanwhile: who wants to know whether it is a player's own.
  std::shared_ptr<update_stream> reader;
  // Of connect, and of a play that makes the session: the secret, which its owner is told.
  std::string client_id;
};

}  // namespace gamehub::gateways::http::server
