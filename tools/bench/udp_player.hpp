// One client of the UDP wire, against whoever the hub gives it: a byte in, a byte out. It keeps a
// board of its own, which has to end as the hub says it did. Written against the protocol's
// document alone and sharing nothing with the gateways. A plain value of a few bytes; the load owns
// it and repeats its last byte where no answer comes.
#pragma once

#include <cstdint>
#include <string_view>

#include "hub/app/bench/board.hpp"

namespace gamehub::app::bench {

class udp_player {
 public:
  // What comes of a byte.
  struct step {
    char say = 0;                 // 0: nothing
    int moves = 0;                // that were made, by either side
    bool began = false;           // the hub plays
    bool ended = false;           // as it should
    bool answered = false;        // it answered the last byte said
    std::string_view fault = {};  // what was wrong
  };

  // The first byte of a game; the hub moves first in each second one.
  char begin();
  // Requires: begin() was called. `chance` picks among the free cells.
  step hear(char byte, std::uint64_t chance);
  // Gives the game up, if there is one: 'Q', or 0.
  char resign();

  char last_said() const { return last_; }
  // Through with its game, or in none yet.
  bool away() const { return state_ == state::away; }
  // In a game that the hub knows of.
  bool playing() const { return began_; }

 private:
  enum class state : std::uint8_t {
    away,       // has said nothing yet, or is through
    opening,    // said A or B
    asked,      // said E after B
    proposing,  // said a digit
    ending,     // said E
    echoing,    // said the other side's digit
    admitting,  // said I
    leaving,    // said how it ended
    resigning,  // said Q
  };

  step say(char byte, state next);
  step propose(std::uint64_t chance);
  step hear_in_proposing(char byte);
  step hear_move(char byte, int settled = 0);
  step hear_end(char byte);
  int settle();

  bool is_other(char byte) const {
    return byte >= '0' && byte <= '8' && board_.is_free(byte - '0') && byte != choice_;
  }
  bool plays_x() const { return !hub_first_; }

  board board_;
  state state_ = state::away;
  char last_ = 0;
  char choice_ = 0;    // this turn's move
  char hub_move_ = 0;  // the latest
  bool hub_first_ = true;
  bool began_ = false;
};

}  // namespace gamehub::app::bench
