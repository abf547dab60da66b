// The state of one remote address: bytes, events of the hub and time in; bytes, requests to the hub
// and the next deadline out. README.md ("The machine") has the table that peer_state_machine.cpp
// implements. It knows no rules: a digit is a cell, and the hub reports free cells, the opponent's
// moves and the result. A plain value of a few words, because there may be 1,000,000 of them; a
// peer_table owns it, one thread.
#pragma once

#include "gateways/udp/bytes.hpp"
#include "gateways/udp/udp_limits.hpp"
#include "hub/base/time.hpp"
#include "hub/core/event.hpp"

#include <cstdint>
#include <optional>

namespace gamehub::gateways::udp {

// The states of the table in README.md.
enum class state : std::uint8_t {
  none,     // no session
  open,     // sent B; the opening move is not sent yet
  turn,     // waits for the client's move
  invalid,  // waits for the client to acknowledge that its move is invalid
  pending,  // echoed a move, which the client may still change
  think,    // the hub computes the opponent's move or the result
  moved,    // sent the opponent's move, and waits for its echo
  final_,   // sent the result, and waits for its echo
  ended,    // keeps the result of an ended game
};
inline constexpr int state_count = 9;

// A request of the machine to the hub.
enum class hub_request : std::uint8_t { nothing, seek, play, leave };

// The output for one byte, event or deadline.
struct machine_output {
  char bytes[2] = {};     // one datagram each, in this order
  std::uint8_t sent = 0;  // number of bytes in `bytes`
  hub_request request = hub_request::nothing;
  std::uint8_t cell = 0;  // cell of a play request
  bool ignored = false;   // the table has no answer to the byte
  bool rejected = false;  // the client's digit names no free cell: it was not sent to the hub
};

// The settings of all games of one port.
struct machine_settings {
  int cells = 9;
  // The opponent is another player, who must not wait for an address that does not hear the hub:
  // seek at the client's first `E`, which only follows an answer of the hub. Otherwise at its
  // second byte, so that a single datagram with a forged sender costs almost nothing.
  bool against_players = false;
  // The information of echoes that proves an address (udp_limits.hpp).
  std::uint8_t proof = limits::udp_proof;
};

class peer_state_machine {
 public:
  // Handle one byte of the client, and one event of the hub.
  machine_output receive(char byte, base::instant now, const machine_settings&);
  // True if this byte makes an address seek a game that has not proven that it receives.
  bool begins_unproven_game(char byte, const machine_settings&) const;
  // `information` is that of the opponent's move, if the event has one (move_statistics.hpp).
  machine_output on_event(const event&, base::instant now, std::uint8_t information = 0);
  // The session in the hub has ended. A game without a result ends here.
  machine_output hub_closed(base::instant now);
  // Handles the expired deadline. Requires: next() <= now.
  machine_output advance(base::instant now);

  // Returns the next deadline, or instant::max() without a deadline.
  base::instant next() const { return due_; }

  // Returns the state.
  state at() const { return state_; }
  // Returns the last byte that was sent: L in the table.
  char last() const { return last_; }
  // True if the address has echoed moves that it could not have guessed, so that it is not forged.
  bool proven() const { return proven_; }
  // True if it has echoed some, but not enough.
  bool has_evidence() const { return proof_ > 0; }
  // True for an ended game whose client may not know the result.
  bool keeps_status() const { return unasked_ && (proven_ || sought_); }
  // True while the address waits for an opponent, and has no other deadline than its own silence.
  bool waits_for_seat() const {
    return sought_ && !seated_ && (state_ == state::open || state_ == state::think);
  }
  // True if the next repeat of the last byte is not the first one.
  bool repeats_again() const { return proven_ && resends_ > 0; }
  // Returns the cell that the opponent's move took in this position, if it has one.
  std::optional<int> cell_of_move(const position&) const;
  // Returns the client's seat. Requires: a game was requested.
  seat_index seat() const { return seat_; }

 private:
  struct step_context {
    machine_output out;
    base::instant now;
    bool restarts = false;  // a byte was sent: the resend interval starts again
  };

  void begin(char byte, const machine_settings&, step_context&);
  void weigh_echo(char byte, const machine_settings&);
  void repeat_late(step_context&);
  void in_open(char byte, const machine_settings&, step_context&);
  void in_turn(char byte, const machine_settings&, step_context&);
  void in_invalid(char byte, step_context&);
  void in_pending(char byte, const machine_settings&, step_context&);
  void in_think(char byte, step_context&);
  void in_moved(char byte, const machine_settings&, step_context&);
  void in_final(char byte, step_context&);
  void in_ended(char byte, const machine_settings&, step_context&);

  void propose(char digit, const machine_settings&, step_context&);
  void reject(step_context&);
  void commit(step_context&);
  void resign(step_context&);
  void open_again(step_context&);
  void move(step_context&);
  void move_again(char byte, const machine_settings&, step_context&);
  void finish(char status, char answers, step_context&);
  void finish_unasked(char status, step_context&);
  void end(step_context&);
  void end_without_result(step_context&, bool sends = true);

  void on_position(const position&, std::uint8_t information, step_context&);
  void on_end(const position&, bool moved_here, step_context&);
  void on_refusal(const refused&, step_context&);

  // Queues a byte. Returns false if the address is not proven and has used its credit.
  bool emit(char byte, step_context&);
  void seek(step_context&);
  void on_silence_of_guest(step_context&);
  machine_output finish_step(step_context&);
  void set_deadline(const step_context&);

  bool is_free(char byte) const {
    return byte >= '0' && byte < '0' + 9 && ((free_ >> bytes::cell(byte)) & 1) != 0;
  }
  bool waits_for_client() const {
    return state_ == state::turn || state_ == state::invalid || state_ == state::pending ||
           state_ == state::moved;
  }
  bool in_play() const { return state_ != state::none && state_ < state::final_; }

  base::instant due_ = base::instant::max();
  state state_ = state::none;
  char last_ = bytes::none;
  char opening_ = bytes::none;   // A or B
  char proposed_ = bytes::none;  // the client's move in PENDING and THINK
  char move_ = bytes::none;      // the opponent's latest move, or none
  char status_ = bytes::none;  // result of the game in FINAL and ENDED; in MOVED the result to send
                               // after the echo
  char answers_ = bytes::none;  // the byte that the result answered
  std::int8_t credit_ = 0;      // bytes received minus bytes sent, until the address is proven
  std::uint8_t resends_ = 0;
  std::uint8_t late_echoes_ : 4 = 0;
  std::uint8_t unheard_ : 4 = 0;  // confirmations in a row that the opponent's move answered
  std::int8_t seat_ = 0;
  std::uint8_t proof_ = 0;  // information of its echoes, until a wrong one
  std::uint16_t free_ = 0;  // bit set of the blank cells of the latest position
  bool proven_ : 1 = false;
  bool guessed_ : 1 = false;    // has answered the latest move with a digit that could be it
  bool sought_ : 1 = false;     // a seek was sent to the hub
  bool seated_ : 1 = false;     // has a seat in a game
  bool prompted_ : 1 = false;   // the hub waits for the client's move
  bool committed_ : 1 = false;  // the client has confirmed a move
  bool resigned_ : 1 = false;
  bool over_ : 1 = false;             // the hub has reported the end of the game
  bool unasked_ : 1 = false;          // the result answered no byte, or was not acknowledged
  std::uint8_t information_ : 6 = 0;  // of the opponent's latest move
};

static_assert(sizeof(peer_state_machine) <= 40, "a hundred thousand of them must stay cheap");

}  // namespace gamehub::gateways::udp
