// One client of the UDP protocol, against the opponent that the hub chooses: a byte in, a byte out.
// It keeps a board, and checks the hub's result against it. Written from the protocol's
// documentation, without code of the gateways. A plain value of a few bytes, owned by the load,
// which repeats its last byte if no answer comes.
#pragma once

#include "tools/bench/board.hpp"

#include <cstdint>
#include <string_view>

namespace gamehub::tools::bench {

class udp_player {
 public:
  // The effect of a received byte.
  struct step {
    char reply = 0;               // 0: none
    int moves = 0;                // made by either side
    bool began = false;           // the game has begun
    bool ended = false;           // correctly
    bool answered = false;        // the byte answers the last sent byte
    bool chose = false;           // the reply is a move that was not sent before
    std::string_view fault = {};  // an error of the hub
  };

  // Returns the first byte of a game. The hub moves first in every second game.
  char begin();
  // Requires: begin() was called. `chance` selects a free cell.
  step on_data(char byte, std::uint64_t chance);
  // Resigns the game: returns 'Q', or 0 without a game.
  char resign();

  char last_sent() const { return last_; }
  // The game has ended, or none has begun.
  bool away() const { return state_ == state::away; }
  // The hub has confirmed the game.
  bool playing() const { return began_; }

 private:
  enum class state : std::uint8_t {
    away,       // has sent nothing yet, or the game has ended
    opening,    // sent A or B
    asked,      // sent E after B
    proposing,  // sent a digit
    ending,     // sent E
    echoing,    // repeated the other side's digit
    admitting,  // sent I
    leaving,    // sent the result
    resigning,  // sent Q
  };

  step reply(char byte, state next);
  step propose(std::uint64_t chance);
  step on_proposing(char byte);
  step on_move(char byte, int settled = 0);
  step on_end(char byte);
  int settle();

  bool is_other(char byte) const {
    return byte >= '0' && byte <= '8' && board_.is_free(byte - '0') && byte != choice_;
  }
  bool plays_x() const { return !hub_first_; }

  board board_;
  state state_ = state::away;
  char last_ = 0;
  char choice_ = 0;    // the move of this turn
  char hub_move_ = 0;  // the latest move of the hub
  bool hub_first_ = true;
  bool began_ = false;
};

}  // namespace gamehub::tools::bench
