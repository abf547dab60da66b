// A stream protocol of the load: writes a client's messages, reads the hub's. Written from the
// protocols' documentation, without code of the gateways, so that it does not repeat their errors.
// A wire has no state; any thread may use it.
#pragma once

#include "tools/bench/board.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tools::bench {

// One message of the hub.
struct server_message {
  enum class kind : std::uint8_t {
    open,     // the connection is open: send join()
    welcome,  // the hub has accepted the client
    token,    // the answer to a request for a game, or to a move: the player's mark
    started,  // a game begins
    state,    // the board, and the result if the game has ended
    turn,     // it is this player's turn
    over,     // the last message of this game
    refused,  // an error: `text`
  };

  kind what = kind::welcome;
  std::int64_t game = 0;  // if the protocol numbers games
  char mark = 0;
  tools::bench::board board;
  ending end = ending::none;
  std::string_view text;  // refers to the input
};

class wire {
 public:
  virtual ~wire() = default;

  virtual std::string_view name() const = 0;
  virtual std::uint16_t port_default() const = 0;
  // The maximum of concurrent games on one connection.
  virtual int games_per_connection_max() const = 0;

  // Appends the first message of a client that plays this number of games.
  virtual void greet(int games, std::string& out) const = 0;
  // Appends the message after `open`, if the protocol has one.
  virtual void join(int /*games*/, std::string& /*out*/) const {}
  virtual void move(std::int64_t game, int cell, std::string& out) const = 0;
  // Appends the request for another game on the same connection.
  virtual void again(std::string& out) const = 0;

  // True if the hub may have begun another game for a client that leaves after one. Its opponent
  // then wins at once.
  virtual bool seats_again_unasked() const = 0;

  // Parses complete messages and returns the number of consumed bytes. A refusal without a game is
  // the last message of a connection.
  virtual std::size_t read(std::string_view bytes, std::vector<server_message>& out) const = 0;
};

// "opcodes", "turns" or "ws"; null for any other.
const wire* find_wire(std::string_view name);

const wire& opcodes();
const wire& turns();
const wire& web_sockets();

}  // namespace gamehub::tools::bench
