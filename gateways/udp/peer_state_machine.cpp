#include "gateways/udp/machine.hpp"

#include <algorithm>
#include <limits>

#include "gateways/udp/udp_limits.hpp"

namespace gamehub::gateways::udp {
namespace {

constexpr auto credit_max = std::numeric_limits<std::int8_t>::max();

std::uint16_t all_of(int cells) {
  return static_cast<std::uint16_t>((1u << std::clamp(cells, 0, limits::udp_cells_max)) - 1);
}

// Whether the client answers the hub's byte, said in TURN, as if it had never come.
bool says_again(char last, char byte) {
  if (byte == bytes::invalid) return last == bytes::waiting;
  return last == byte && (byte == bytes::client_first || byte == bytes::end_of_turn);
}

}  // namespace

step machine::receive(char byte, instant now, const ground& on) {
  moment m{{}, now};
  if (credit_ < credit_max) ++credit_;
  if (byte == bytes::quit && in_play()) {
    resign(m);
    return settle(m);
  }
  switch (state_) {
    case state::none: begin(byte, on, m); break;
    case state::open: in_open(byte, m); break;
    case state::turn: in_turn(byte, m); break;
    case state::invalid: in_invalid(byte, m); break;
    case state::pending: in_pending(byte, m); break;
    case state::think: in_think(byte, m); break;
    case state::moved: in_moved(byte, m); break;
    case state::final_: in_final(byte, m); break;
    case state::ended: in_ended(byte, on, m); break;
  }
  // Whoever opens or quits may never have heard the hub.
  if (!m.out.ignored && !bytes::opens(byte) && byte != bytes::quit) answered_ = true;
  return settle(m);
}

// none: A → A (TURN) · B → B (OPEN)
void machine::begin(char byte, const ground& on, moment& m) {
  if (!bytes::opens(byte)) {
    m.out.ignored = true;
    return;
  }
  *this = machine{};
  credit_ = 1;
  free_ = all_of(on.cells);
  opening_ = byte;
  seat_ = byte == bytes::client_first ? 0 : 1;
  state_ = byte == bytes::client_first ? state::turn : state::open;
  say(byte, m);
  if (on.seek_at_once) seek(m);
}

// OPEN: E → the opening move (MOVED), as soon as it exists · B → B, then the move
void machine::in_open(char byte, moment& m) {
  if (byte == bytes::end_of_turn) {
    answered_ = true;
    owes_opening_ = true;
    seek(m);
    if (move_ != bytes::none) move(m);
  } else if (byte == bytes::hub_first) {
    seek(m);
    open_again(m);
  } else {
    m.out.ignored = true;
  }
}

// TURN: a free digit → itself (PENDING) · a late echo of the hub's move → E, twice · any other
// digit → I (INVALID) · A → A, E → E and I → W, each while that is the hub's last byte
void machine::in_turn(char byte, moment& m) {
  const bool after_move = last_ == bytes::end_of_turn;
  if (is_free(byte)) {
    propose(byte, m);
  } else if (after_move && byte == move_ && late_echoes_ < limits::udp_late_echoes_max) {
    ++late_echoes_;
    say(last_, m);
  } else if (bytes::is_digit(byte)) {
    reject(m);
  } else if (says_again(last_, byte)) {
    say(last_, m);
  } else {
    m.out.ignored = true;
  }
}

// INVALID: I → W (TURN) · any digit → I
void machine::in_invalid(char byte, moment& m) {
  if (byte == bytes::invalid) {
    state_ = state::turn;
    say(bytes::waiting, m);
  } else if (bytes::is_digit(byte)) {
    say(bytes::invalid, m);
  } else {
    m.out.ignored = true;
  }
}

// PENDING d: E → the hub's, THINK · d, or another free digit instead of it → itself · any other
// digit drops d → I (INVALID)
void machine::in_pending(char byte, moment& m) {
  if (byte == bytes::end_of_turn) {
    commit(m);
  } else if (is_free(byte)) {
    propose(byte, m);
  } else if (bytes::is_digit(byte)) {
    reject(m);
  } else {
    m.out.ignored = true;
  }
}

// THINK: E is absorbed
void machine::in_think(char byte, moment& m) { m.out.ignored = byte != bytes::end_of_turn; }

// MOVED: its echo → E (TURN), or the status (FINAL) if it ended the game · E or any other digit →
// the move · B before the client's first move → B, the move
void machine::in_moved(char byte, moment& m) {
  // One byte ahead or not, this answers.
  answered_ = answered_ || byte == bytes::end_of_turn || bytes::is_digit(byte);
  if (byte == move_ && status_ != bytes::none) {
    finish(status_, byte, m);
  } else if (byte == move_) {
    late_echoes_ = 0;
    state_ = state::turn;
    say(bytes::end_of_turn, m);
  } else if (byte == bytes::end_of_turn || bytes::is_digit(byte)) {
    say(move_, m);
  } else if (byte == bytes::hub_first && opening_ == byte && !committed_) {
    open_again(m);
  } else {
    m.out.ignored = true;
  }
}

// FINAL: the status → Q (ENDED) · the byte that it answered → the status; any byte of a game, where
// it answered none
void machine::in_final(char byte, moment& m) {
  if (byte == status_) {
    end(m);
    say(bytes::quit, m);
  } else if ((byte == answers_ && byte != bytes::none) || (unasked_ && bytes::in_game(byte))) {
    say(status_, m);
  } else {
    m.out.ignored = true;
  }
}

// ENDED: C, S, D → Q · A and B as in none · any byte of a game → the status, where nobody had asked
// for it or nobody acknowledged it
void machine::in_ended(char byte, const ground& on, moment& m) {
  if (bytes::opens(byte)) {
    begin(byte, on, m);
  } else if (bytes::is_status(byte)) {
    say(bytes::quit, m);
  } else if (unasked_ && bytes::in_game(byte)) {
    say(status_, m);
  } else {
    m.out.ignored = true;
  }
}

void machine::propose(char digit, moment& m) {
  proposed_ = digit;
  state_ = state::pending;
  say(digit, m);
  seek(m);
}

void machine::reject(moment& m) {
  state_ = state::invalid;
  say(bytes::invalid, m);
}

// A move that comes before the opponent waits here for it.
void machine::commit(moment& m) {
  committed_ = true;
  state_ = state::think;
  if (!prompted_) return;
  prompted_ = false;
  m.out.wish = wish::play;
  m.out.cell = static_cast<std::uint8_t>(bytes::cell(proposed_));
}

void machine::resign(moment& m) {
  resigned_ = true;
  if (sought_ && !over_) m.out.wish = wish::leave;
  // The game may be over, and the client be about to hear of it.
  finish_unasked(status_ == bytes::none ? bytes::hub_won : status_, m);
}

// The opening byte came again: it or the move was lost, and only the client knows which. Both go
// out. Before the address has answered that is one byte more than came in, which happens once; then
// they take turns, a byte for a byte.
void machine::open_again(moment& m) {
  owes_opening_ = true;
  if (move_ == bytes::none) {
    say(bytes::hub_first, m);
    return;
  }
  if (answered_ || !ran_ahead_) {
    if (say(bytes::hub_first, m)) move(m);
    return;
  }
  if (last_ == bytes::hub_first)
    move(m);
  else
    say(bytes::hub_first, m);
}

void machine::move(moment& m) {
  if (!say(move_, m, ran_ahead_ ? 0 : 1)) return;
  ran_ahead_ = ran_ahead_ || credit_ < 0;
  state_ = state::moved;
}

void machine::finish(char status, char answers, moment& m) {
  status_ = status;
  answers_ = answers;
  resends_ = 0;
  state_ = state::final_;
  m.restarts = true;
  say(status, m);
}

void machine::finish_unasked(char status, moment& m) {
  unasked_ = true;
  finish(status, bytes::none, m);
}

void machine::end(moment& m) {
  state_ = state::ended;
  m.restarts = true;
}

void machine::end_without_result(moment& m) {
  unasked_ = true;
  status_ = bytes::quit;
  end(m);
  say(bytes::quit, m);
}

// Until the address has answered, a byte goes out only for one that came in.
bool machine::say(char byte, moment& m, int ahead) {
  if (!answered_) {
    if (credit_ + ahead <= 0) return false;
    --credit_;
  }
  last_ = byte;
  m.out.bytes[m.out.said++] = byte;
  // The last word is said again at its own pace, or a client that asks often would keep it alive.
  if (state_ < state::final_) m.restarts = true;
  return true;
}

void machine::seek(moment& m) {
  if (sought_) return;
  sought_ = true;
  m.out.wish = wish::seek;
}

step machine::settle(moment& m) {
  if (m.restarts || state_ == state::think || state_ == state::open) set_deadline(m);
  return m.out;
}

void machine::set_deadline(const moment& m) {
  if (state_ < state::final_) resends_ = 0;
  if (state_ == state::ended)
    due_ = m.now + (keeps_status() ? limits::udp_status_kept : limits::udp_ended_kept);
  else if (state_ == state::final_)
    due_ = m.now + limits::udp_resend_after;
  else if (!answered_)
    due_ = m.now + limits::udp_newcomer_kept;
  else if (state_ == state::think || state_ == state::open)
    due_ = instant::max();
  else
    due_ = m.now + limits::udp_resend_after;
}

step machine::advance(instant now) {
  moment m{{}, now};
  due_ = instant::max();
  if (state_ == state::ended) {
    *this = machine{};
  } else if (state_ == state::final_) {
    if (resends_ == limits::udp_final_resends_max) {
      // The client may be away, or misled by a late byte: it hears it when it comes back.
      unasked_ = true;
      end(m);
      return settle(m);
    }
    ++resends_;
    due_ = now + limits::udp_resend_after;
    if (answered_) say(status_, m);
  } else if (!answered_) {
    // Silence ends no game: the turn clock does.
    if (seated_)
      due_ = now + limits::udp_newcomer_kept;
    else
      *this = machine{};
  } else if (resends_ < limits::udp_resends_max) {
    ++resends_;
    due_ = now + limits::udp_resend_after;
    say(last_, m);
  }
  return m.out;
}

}  // namespace gamehub::gateways::udp
