// A client of the UDP wire as programs are written from its document: it says its last byte again
// each second until something new comes, and keeps its own board. Its habits are those that
// were seen in real ones. Bytes and time in; bytes and the next deadline out; one thread.
#pragma once

#include "hub/base/random.hpp"
#include "hub/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace gamehub::tests {

struct udp_habits {
  bool hub_first = false;              // opens with B
  bool ignores_repeats = false;        // a byte equal to the one before is nothing to it
  bool strict_opening = false;         // takes only B for an answer to B
  bool opens_again = false;            // says B again where the opening move does not come, not E
  bool leaves_after_draw = false;      // answers D with its last byte, and is gone
  bool waits_for_quit = false;         // is not gone before Q came, or did not for five seconds
  base::duration thinks_max{0};        // before each move
  double tries_bad_moves = 0;          // a taken cell or a 9 first
  bool any_digit_confirms = false;     // takes any digit for its echo
  double changes_its_mind = 0;         // says another free digit before it commits one
  std::optional<int> resigns_at;       // at this move of the client, with Q each second
  std::optional<int> falls_silent_at;  // at this move, until silent_for has passed
  base::duration silent_for{0};
};

class udp_client {
 public:
  udp_client(const udp_habits& habits, std::uint64_t seed, base::instant now);

  // What it says, which may be nothing.
  std::string receive(char byte, base::instant now);
  std::string advance(base::instant now);
  base::instant next() const { return due_; }

  // It is gone.
  bool gone() const { return state_ == state::gone; }
  // It knows how the game ended: C, D, S, or Q for no result.
  char result() const { return result_; }
  // By its own bookkeeping; x is the hub's side where that began.
  const std::string& board() const { return board_; }
  int moves() const { return moves_; }

 private:
  enum class state : std::uint8_t {
    greeting,   // said A or B
    opening,    // said E after B: the opening move is to come
    thinking,   // its turn
    proposing,  // said a digit
    ending,     // said E: a move or the end is to come
    echoing,    // said the hub's digit
    admitting,  // said I
    resigning,  // said Q
    leaving,    // said how it ended: Q is to come
    gone,
  };

  std::string say(char byte, state next, base::instant now);
  std::string again(base::instant now);
  std::string think(base::instant now);
  std::string propose(base::instant now);
  std::string go();
  std::string hear_end(char byte, base::instant now);
  std::string hear_in_greeting(char byte, base::instant now);
  std::string hear_in_proposing(char byte, base::instant now);
  std::string hear_in_ending(char byte, base::instant now);
  std::string hear_in_echoing(char byte, base::instant now);
  std::string hear_in_admitting(char byte, base::instant now);
  std::string hear_move(char byte, base::instant now);
  void settle_own_move();

  bool is_free(char byte) const {
    return byte >= '0' && byte <= '8' && board_[static_cast<std::size_t>(byte - '0')] == '-';
  }
  bool happens(double share);
  char any_free();
  char own_mark() const { return habits_.hub_first ? 'O' : 'X'; }

  udp_habits habits_;
  base::seeded_entropy dice_;
  std::string board_ = "---------";
  state state_ = state::greeting;
  base::instant due_;
  char last_said_ = '\0';
  char last_heard_ = '\0';
  char choice_ = '\0';    // this turn's move, whatever is said on the way to it
  char idea_ = '\0';      // said in its place first
  char hub_move_ = '\0';  // the latest
  char result_ = '\0';
  int moves_ = 0;
  int farewells_ = 6;
  bool tried_ = false;  // had its bad move of this turn
  bool is_away_ = false;
};

}  // namespace gamehub::tests
