// One remote address of the UDP wire: bytes, the hub's events and time in; bytes, wishes to the hub
// and the next deadline out. README.md has the table that machine.cpp spells out. It knows no
// rules: a digit is a cell, and the hub says what is free, what the other side did and who won.
// A plain value of a few words, because there may be very many; its peers own it, one thread.
#pragma once

#include <cstdint>

#include "gateways/udp/bytes.hpp"
#include "hub/core/event.hpp"
#include "hub/core/time.hpp"

namespace gamehub::gateways::udp {

// The states of the table.
enum class state : std::uint8_t {
  none,     // knows nothing of this address
  open,     // said B, and owes the opening move
  turn,     // waits for a move
  invalid,  // waits for the client to admit that its move can't be
  pending,  // repeated a move, which the client may still change
  think,    // owes a move or a status: the hub is at it
  moved,    // said a move, and waits for its echo
  final_,   // said who won, and waits for the echo
  ended,    // keeps an ended game in mind
};
inline constexpr int state_count = 9;

// What a machine wants of the hub.
enum class wish : std::uint8_t { nothing, seek, play, leave };

// What comes of one byte, event or deadline.
struct step {
  char bytes[2] = {};     // each its own datagram, in this order
  std::uint8_t said = 0;  // how many of them
  gamehub::gateways::udp::wish wish = gamehub::gateways::udp::wish::nothing;
  std::uint8_t cell = 0;  // of a play
  bool ignored = false;   // the table has no answer
};

// What holds for all games of a port.
struct ground {
  int cells = 9;
  // The hub looks for an opponent as soon as it is asked for a game. Otherwise only once the client
  // has answered, so that a spoofed byte costs the hub next to nothing.
  bool seek_at_once = false;
};

class machine {
 public:
  step receive(char byte, instant now, const ground&);
  step tell(const event&, instant now);
  // The hub has nothing more for this client; a game without an end has none.
  step hub_closed(instant now);
  // Requires: next() <= now.
  step advance(instant now);

  // When advance() has something to do; never: instant::max().
  instant next() const { return due_; }

  state at() const { return state_; }
  // The hub's last byte: the table's L.
  char last() const { return last_; }
  // The address has answered a byte of the hub, so that it is no forgery.
  bool answered() const { return answered_; }
  // An ended game whose client may not have heard of it, and is no forgery to all appearance.
  bool keeps_status() const { return unasked_ && (answered_ || sought_); }
  // The seat that it asked for. Requires: a game was asked for.
  seat_index seat() const { return seat_; }

 private:
  struct moment {
    step out;
    instant now;
    bool restarts = false;  // a byte was said, and its second begins
  };

  void begin(char byte, const ground&, moment&);
  void in_open(char byte, moment&);
  void in_turn(char byte, moment&);
  void in_invalid(char byte, moment&);
  void in_pending(char byte, moment&);
  void in_think(char byte, moment&);
  void in_moved(char byte, moment&);
  void in_final(char byte, moment&);
  void in_ended(char byte, const ground&, moment&);

  void propose(char digit, moment&);
  void reject(moment&);
  void commit(moment&);
  void resign(moment&);
  void open_again(moment&);
  void move(moment&);
  void finish(char status, char answers, moment&);
  void finish_unasked(char status, moment&);
  void end(moment&);
  void end_without_result(moment&);

  void see(const position&, moment&);
  void see_end(const position&, bool moved_here, moment&);
  void see_refusal(const refused&, moment&);

  // False if it may not be said, `ahead` bytes more than came in.
  bool say(char byte, moment&, int ahead = 0);
  void seek(moment&);
  step settle(moment&);
  void set_deadline(const moment&);

  bool is_free(char byte) const {
    return byte >= '0' && byte < '0' + 9 && ((free_ >> bytes::cell(byte)) & 1) != 0;
  }
  bool in_play() const { return state_ != state::none && state_ < state::final_; }

  instant due_ = instant::max();
  state state_ = state::none;
  char last_ = bytes::none;
  char opening_ = bytes::none;   // A or B
  char proposed_ = bytes::none;  // PENDING and THINK: the client's move
  char move_ = bytes::none;      // the other side's latest move, once it is known
  char status_ = bytes::none;  // MOVED: with which it ends, if it does; FINAL and ENDED: how it did
  char answers_ = bytes::none;  // the byte that the status answered
  std::int8_t credit_ = 0;      // bytes in less bytes out, until the address answers
  std::uint8_t resends_ = 0;
  std::uint8_t late_echoes_ = 0;
  std::int8_t seat_ = 0;
  std::uint16_t free_ = 0;  // blank cells of the latest position, bit by bit
  bool answered_ : 1 = false;
  bool ran_ahead_ : 1 = false;     // said one byte more than came, before the address answered
  bool sought_ : 1 = false;        // asked the hub for a game
  bool seated_ : 1 = false;        // has one
  bool prompted_ : 1 = false;      // the hub waits for this seat's move
  bool owes_opening_ : 1 = false;  // OPEN: the opening move goes out as soon as it exists
  bool committed_ : 1 = false;     // the client has moved in this game
  bool resigned_ : 1 = false;
  bool over_ : 1 = false;     // the hub has said how it ended
  bool unasked_ : 1 = false;  // the status answered no byte, or was not acknowledged
};

static_assert(sizeof(machine) <= 40, "a hundred thousand of them must stay cheap");

}  // namespace gamehub::gateways::udp
