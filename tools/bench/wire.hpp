// A wire as the load speaks it: a client's words out, the hub's words in. Written against the
// protocols' documents alone and sharing nothing with the gateways, so that a mistake there is not
// made here again. A wire owns nothing and has no state; any thread may use one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/app/bench/board.hpp"

namespace gamehub::app::bench {

// One thing that the hub said.
struct told {
  enum class kind : std::uint8_t {
    open,     // the connection is made, and join() is what to say on it
    welcome,  // the connection is known
    token,    // the answer to asking for a game, or to a move: which mark this player has
    started,  // a game begins
    state,    // the board, and how the game ended if it did
    turn,     // it is this player's turn
    over,     // nothing more comes for this game
    refused,  // something went wrong: `text`
  };

  kind what = kind::welcome;
  std::int64_t game = 0;  // where the wire numbers games
  char mark = 0;
  bench::board board;
  ending end = ending::none;
  std::string_view text;  // within what was read
};

class wire {
 public:
  virtual ~wire() = default;

  virtual std::string_view name() const = 0;
  virtual std::uint16_t port_default() const = 0;
  // How many games one connection can carry at once.
  virtual int games_per_connection_max() const = 0;

  // What a client says first, to play that many games at once.
  virtual void greet(int games, std::string& out) const = 0;
  // What it says once it was told that the connection is open, where there is such a thing.
  virtual void join(int /*games*/, std::string& /*out*/) const {}
  virtual void move(std::int64_t game, int cell, std::string& out) const = 0;
  // What a client says after a game, to play another on the same connection.
  virtual void again(std::string& out) const = 0;

  // Whether the hub may have begun another game for a client that leaves after one: whoever sits
  // opposite then wins at once.
  virtual bool seats_again_unasked() const = 0;

  // Tells what the bytes say, and how many of them it was: the rest is an unfinished message. After
  // a refusal that names no game there is nothing more.
  virtual std::size_t read(std::string_view bytes, std::vector<told>& out) const = 0;
};

// "opcodes", "turns" or "ws"; null for any other.
const wire* find_wire(std::string_view name);

const wire& opcodes();
const wire& turns();
const wire& web_sockets();

}  // namespace gamehub::app::bench
