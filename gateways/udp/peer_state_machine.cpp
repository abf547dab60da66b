#include "gateways/udp/peer_state_machine.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

namespace gamehub::gateways::udp {
namespace {

constexpr auto credit_max = std::numeric_limits<std::int8_t>::max();
constexpr int information_max = 63;  // as much as six bits hold

std::uint16_t all_of(int cells) {
  return static_cast<std::uint16_t>((1u << std::clamp(cells, 0, limits::udp_cells_max)) - 1);
}

// True if the client's byte repeats the situation before the hub's last byte, which was lost, in
// TURN.
bool is_repeat(char last, char byte) {
  if (byte == bytes::invalid) return last == bytes::waiting;
  return last == byte && (byte == bytes::client_first || byte == bytes::end_of_turn);
}

std::uint16_t blanks_of(const position& p) {
  const auto cells = std::min<std::size_t>(p.cells.size(), limits::udp_cells_max);
  unsigned out = 0;
  for (std::size_t i = 0; i < cells; ++i)
    if (p.cells[i] == '-') out |= 1u << i;
  return static_cast<std::uint16_t>(out);
}

// Returns the result for this seat; none if the game has no result.
char status_of(const outcome& end, seat_index seat) {
  if (end.winner) return *end.winner == seat ? bytes::client_won : bytes::hub_won;
  return end.draw() ? bytes::draw : bytes::none;
}

}  // namespace

machine_output peer_state_machine::receive(char byte, base::instant now,
                                           const machine_settings& on) {
  step_context m{{}, now};
  if (credit_ < credit_max) ++credit_;
  if (byte == bytes::quit && in_play()) {
    resign(m);
    return finish_step(m);
  }
  switch (state_) {
    case state::none: begin(byte, on, m); break;
    case state::open: in_open(byte, on, m); break;
    case state::turn: in_turn(byte, on, m); break;
    case state::invalid: in_invalid(byte, m); break;
    case state::pending: in_pending(byte, on, m); break;
    case state::think: in_think(byte, m); break;
    case state::moved: in_moved(byte, on, m); break;
    case state::final_: in_final(byte, m); break;
    case state::ended: in_ended(byte, on, m); break;
  }
  if (m.out.ignored && !proven_) repeat_late(m);
  return finish_step(m);
}

bool peer_state_machine::begins_unproven_game(char byte, const machine_settings& on) const {
  if (proven_ || sought_) return false;
  const bool confirms = byte == bytes::end_of_turn;
  switch (state_) {
    case state::open: return confirms || (byte == bytes::hub_first && !on.against_players);
    case state::turn: return is_free(byte) && !on.against_players;
    case state::pending: return confirms;
    default: return false;
  }
}

// none: A → A (TURN) · B → B (OPEN)
void peer_state_machine::begin(char byte, const machine_settings& on, step_context& m) {
  if (!bytes::opens(byte)) {
    m.out.ignored = true;
    return;
  }
  const auto before = *this;
  *this = peer_state_machine{};
  proven_ = before.proven_;
  proof_ = before.proof_;
  credit_ = 1;
  free_ = all_of(on.cells);
  opening_ = byte;
  seat_ = byte == bytes::client_first ? 0 : 1;
  state_ = byte == bytes::client_first ? state::turn : state::open;
  emit(byte, m);
}

// OPEN: E → the opening move (MOVED), as soon as it exists · B → B, then the move
void peer_state_machine::in_open(char byte, const machine_settings& on, step_context& m) {
  if (byte == bytes::end_of_turn) {
    seek(m);
    if (move_ != bytes::none) move(m);
  } else if (byte == bytes::hub_first) {
    if (!on.against_players) seek(m);
    open_again(m);
  } else {
    m.out.ignored = true;
  }
}

// TURN: a free digit → itself (PENDING) · a late echo of the hub's move → E, twice · any other
// digit → I (INVALID) · A → A, E → E and I → W, each while that is the hub's last byte
void peer_state_machine::in_turn(char byte, const machine_settings& on, step_context& m) {
  const bool after_move = last_ == bytes::end_of_turn;
  if (is_free(byte)) {
    propose(byte, on, m);
  } else if (after_move && byte == move_ && late_echoes_ < limits::udp_late_echoes_max) {
    ++late_echoes_;
    emit(last_, m);
  } else if (bytes::is_digit(byte)) {
    reject(m);
  } else if (is_repeat(last_, byte)) {
    emit(last_, m);
  } else {
    m.out.ignored = true;
  }
}

// INVALID: I → W (TURN) · any digit → I
void peer_state_machine::in_invalid(char byte, step_context& m) {
  if (byte == bytes::invalid) {
    state_ = state::turn;
    emit(bytes::waiting, m);
  } else if (bytes::is_digit(byte)) {
    emit(bytes::invalid, m);
  } else {
    m.out.ignored = true;
  }
}

// PENDING d: E → d is played (THINK) · d, or another free digit instead of it → itself · any other
// digit drops d → I (INVALID)
void peer_state_machine::in_pending(char byte, const machine_settings& on, step_context& m) {
  if (byte == bytes::end_of_turn) {
    seek(m);
    commit(m);
  } else if (is_free(byte)) {
    propose(byte, on, m);
  } else if (bytes::is_digit(byte)) {
    reject(m);
  } else {
    m.out.ignored = true;
  }
}

// THINK: E is absorbed
void peer_state_machine::in_think(char byte, step_context& m) {
  m.out.ignored = byte != bytes::end_of_turn;
}

// MOVED: its echo → E (TURN), or the status (FINAL) if it ended the game · E or any other digit →
// the move · B before the client's first move → B, the move
void peer_state_machine::in_moved(char byte, const machine_settings& on, step_context& m) {
  weigh_echo(byte, on);
  if (byte == move_ && status_ != bytes::none) {
    finish(status_, byte, m);
  } else if (byte == move_) {
    late_echoes_ = 0;
    state_ = state::turn;
    emit(bytes::end_of_turn, m);
  } else if (byte == bytes::end_of_turn || bytes::is_digit(byte)) {
    move_again(byte, on, m);
  } else if (byte == bytes::hub_first && opening_ == byte && !committed_) {
    open_again(m);
  } else {
    m.out.ignored = true;
  }
}

// The client has not acknowledged the move, which is sent again. A client that took a late copy of
// it for the echo of its next digit confirms that digit for ever: after some confirmations in a row
// E makes it choose a digit again, and the result ends its game. To a client that did not receive
// the move, E means nothing, and its next confirmation is answered by the move.
void peer_state_machine::move_again(char byte, const machine_settings& on, step_context& m) {
  if (last_ == bytes::end_of_turn && is_free(byte)) return propose(byte, on, m);
  unheard_ = byte == bytes::end_of_turn ? (unheard_ + 1) & 15 : 0;
  if (status_ != bytes::none && unheard_ >= limits::udp_unheard_results_max)
    finish(status_, byte, m);
  else if (status_ == bytes::none && unheard_ > limits::udp_unheard_moves_max)
    unheard_ = 0, emit(bytes::end_of_turn, m);
  else
    emit(move_, m);
}

// FINAL: the result → Q (ENDED) · the byte that it answered → the result; any byte of a game, if it
// answered none
void peer_state_machine::in_final(char byte, step_context& m) {
  if (byte == status_) {
    end(m);
    emit(bytes::quit, m);
  } else if ((byte == answers_ && byte != bytes::none) || (unasked_ && bytes::in_game(byte))) {
    emit(status_, m);
  } else {
    m.out.ignored = true;
  }
}

// ENDED: C, S, D → Q · A and B as in none · any byte of a game → the result, if no byte asked for
// it or it was not acknowledged
void peer_state_machine::in_ended(char byte, const machine_settings& on, step_context& m) {
  if (bytes::opens(byte)) {
    begin(byte, on, m);
  } else if (bytes::is_status(byte)) {
    emit(bytes::quit, m);
  } else if (unasked_ && bytes::in_game(byte)) {
    emit(status_, m);
  } else {
    m.out.ignored = true;
  }
}

// An address that is not proven gets no timed repeats. Where these would be due, a byte without an
// answer stands for them: it shows that the client waits, and pays for one.
void peer_state_machine::repeat_late(step_context& m) {
  // Each byte that is sent starts the deadline again; that of a result counts the seconds.
  const auto sent = due_ - (sought_ ? limits::udp_guest_kept : limits::udp_newcomer_kept);
  const bool late =
      state_ == state::final_ ? resends_ > 0 : m.now - sent >= limits::udp_resend_after;
  if (late && (waits_for_client() || state_ == state::final_))
    m.out.ignored = !emit(state_ == state::final_ ? status_ : last_, m);
}

// The hub's moves are the only bytes that a client can't know beforehand. Only the first digit
// after a move that could be its echo counts, because a sender that receives nothing may send all
// of them in turn. A wrong one starts again from nothing: so the chance to get anywhere near the
// proof by guessing is at most what the echoes are worth. Digits of taken cells are late
// duplicates.
void peer_state_machine::weigh_echo(char byte, const machine_settings& on) {
  if (proven_ || guessed_ || (byte != move_ && !is_free(byte))) return;
  guessed_ = true;
  if (byte == move_) {
    proof_ = static_cast<std::uint8_t>(std::min(proof_ + information_, 0xFF));
    proven_ = proof_ >= on.proof;
  } else {
    proof_ = 0;
  }
}

void peer_state_machine::propose(char digit, const machine_settings& on, step_context& m) {
  proposed_ = digit;
  state_ = state::pending;
  emit(digit, m);
  if (!on.against_players) seek(m);
}

void peer_state_machine::reject(step_context& m) {
  state_ = state::invalid;
  m.out.rejected = true;
  emit(bytes::invalid, m);
}

// A move that is confirmed before an opponent is found stays in THINK until then.
void peer_state_machine::commit(step_context& m) {
  committed_ = true;
  state_ = state::think;
  if (!prompted_) return;
  prompted_ = false;
  m.out.request = hub_request::play;
  m.out.cell = static_cast<std::uint8_t>(bytes::cell(proposed_));
}

void peer_state_machine::resign(step_context& m) {
  resigned_ = true;
  if (sought_ && !over_) m.out.request = hub_request::leave;
  // The game may already have a result that the client has not received.
  finish_unasked(status_ == bytes::none ? bytes::hub_won : status_, m);
}

// The opening byte arrived again: either the hub's B or its move was lost, and the hub does not
// know which, so both are sent. To an address that is not proven, B and the move alternate, one
// byte per byte.
void peer_state_machine::open_again(step_context& m) {
  const bool sends_move = move_ != bytes::none && (proven_ || last_ == bytes::hub_first);
  if (proven_ || !sends_move) emit(bytes::hub_first, m);
  if (sends_move) move(m);
}

void peer_state_machine::move(step_context& m) {
  unheard_ = 0;
  if (emit(move_, m)) state_ = state::moved;
}

void peer_state_machine::finish(char status, char answers, step_context& m) {
  status_ = status;
  answers_ = answers;
  resends_ = 0;
  state_ = state::final_;
  m.restarts = true;
  emit(status, m);
}

void peer_state_machine::finish_unasked(char status, step_context& m) {
  unasked_ = true;
  finish(status, bytes::none, m);
}

void peer_state_machine::end(step_context& m) {
  state_ = state::ended;
  m.restarts = true;
}

void peer_state_machine::end_without_result(step_context& m, bool sends) {
  unasked_ = true;
  status_ = bytes::quit;
  end(m);
  if (sends) emit(bytes::quit, m);
}

// Until the address is proven, one byte is sent for each byte received.
bool peer_state_machine::emit(char byte, step_context& m) {
  if (!proven_) {
    if (credit_ <= 0) return false;
    --credit_;
  }
  last_ = byte;
  m.out.bytes[m.out.sent++] = byte;
  // The result is repeated at its own interval; otherwise a client that asks often would extend it.
  if (state_ < state::final_) m.restarts = true;
  return true;
}

void peer_state_machine::seek(step_context& m) {
  if (sought_) return;
  sought_ = true;
  m.out.request = hub_request::seek;
}

machine_output peer_state_machine::finish_step(step_context& m) {
  if (m.restarts || state_ == state::think || state_ == state::open) set_deadline(m);
  return m.out;
}

void peer_state_machine::set_deadline(const step_context& m) {
  if (state_ < state::final_) resends_ = 0;
  if (state_ == state::ended)
    due_ = m.now + (keeps_status() ? limits::udp_status_kept : limits::udp_ended_kept);
  else if (state_ == state::final_)
    due_ = m.now + limits::udp_resend_after;
  else if (waits_for_seat())
    due_ = m.now + limits::udp_waiting_kept;
  else if (!proven_ && sought_)
    due_ = m.now + limits::udp_guest_kept;
  else if (!proven_)
    due_ = m.now + limits::udp_newcomer_kept;
  else if (state_ == state::think || state_ == state::open)
    due_ = base::instant::max();
  else
    due_ = m.now + limits::udp_resend_after;
}

machine_output peer_state_machine::advance(base::instant now) {
  step_context m{{}, now};
  due_ = base::instant::max();
  if (state_ == state::ended) {
    *this = peer_state_machine{};
  } else if (state_ == state::final_) {
    if (resends_ == limits::udp_final_resends_max) {
      // The client may be offline, or misled by a late byte: it gets the result when it sends a
      // byte.
      unasked_ = true;
      end(m);
      return finish_step(m);
    }
    ++resends_;
    due_ = now + (proven_ ? limits::udp_resend_again_after : limits::udp_resend_after);
    if (proven_) emit(status_, m);
  } else if (waits_for_seat()) {
    // The client repeats its byte each second: it is gone, and no opponent may wait for it.
    end_without_result(m, proven_);
    set_deadline(m);
  } else if (!proven_) {
    on_silence_of_guest(m);
  } else if (resends_ < limits::udp_resends_max) {
    ++resends_;
    due_ = now + limits::udp_resend_again_after;
    emit(last_, m);
  }
  return m.out;
}

// A client may think about its move until the turn timeout ends the game, and wait for the hub's as
// long. All other bytes are acknowledged at once: a client that does not is gone, or was never
// there, and resigns. It gets the result if it sends a byte.
void peer_state_machine::on_silence_of_guest(step_context& m) {
  if (sought_ && waits_for_client() && state_ != state::turn) {
    if (!over_) m.out.request = hub_request::leave;
    if (status_ == bytes::none) status_ = bytes::hub_won;
    unasked_ = true;
    end(m);
    set_deadline(m);
  } else if (sought_ && seated_) {
    due_ = m.now + limits::udp_guest_kept;
  } else {
    *this = peer_state_machine{};
  }
}

machine_output peer_state_machine::on_event(const event& e, base::instant now,
                                            std::uint8_t information) {
  step_context m{{}, now};
  if (const auto* game = std::get_if<started>(&e.what)) {
    seated_ = true;
    seat_ = static_cast<std::int8_t>(game->seat);
  } else if (const auto* p = std::get_if<position_ref>(&e.what)) {
    if (*p) on_position(**p, information, m);
  } else if (const auto* no = std::get_if<refused>(&e.what)) {
    on_refusal(*no, m);
  }
  return finish_step(m);
}

machine_output peer_state_machine::hub_closed(base::instant now) {
  step_context m{{}, now};
  if (in_play() && !over_) end_without_result(m);
  over_ = true;
  return finish_step(m);
}

std::optional<int> peer_state_machine::cell_of_move(const position& p) const {
  const auto filled = static_cast<std::uint16_t>(free_ & ~blanks_of(p));
  if (!p.by || *p.by == seat_ || filled == 0) return std::nullopt;
  return std::countr_zero(filled);
}

void peer_state_machine::on_position(const position& p, std::uint8_t information, step_context& m) {
  const auto cell = cell_of_move(p);
  const bool theirs = p.by && *p.by != seat_;
  free_ = blanks_of(p);
  if (cell) {
    move_ = bytes::digit(*cell);
    information_ = static_cast<std::uint8_t>(std::min<int>(information, information_max) & 63);
    guessed_ = false;
  }
  const bool can_send = cell && (state_ == state::think || state_ == state::open);
  if (p.outcome) return on_end(p, can_send, m);
  prompted_ = holds(p.to_move, seat_);
  if (!in_play()) return;
  if (theirs && !cell) {
    // The opponent's move took no cell, so no digit can express it.
    m.out.request = hub_request::leave;
    finish_unasked(bytes::hub_won, m);
  } else if (can_send) {
    move(m);
  } else if (prompted_ && state_ == state::think && !p.by) {
    commit(m);
  }
}

void peer_state_machine::on_end(const position& p, bool moved_here, step_context& m) {
  over_ = true;
  prompted_ = false;
  const auto status = status_of(*p.outcome, seat_);
  if (state_ == state::final_ && resigned_ && status != bytes::none) {
    // The game ended before the hub received the resignation: its real result counts.
    status_ = status;
  }
  if (!in_play()) return;
  if (status == bytes::none) {
    end_without_result(m);
  } else if (moved_here) {
    status_ = status;
    move(m);
  } else if (p.by == seat_ && state_ == state::think) {
    finish(status, bytes::end_of_turn, m);
  } else {
    finish_unasked(status, m);
  }
}

void peer_state_machine::on_refusal(const refused& no, step_context& m) {
  if (!in_play() || over_) return;
  if (!seated_) {
    over_ = true;
    end_without_result(m);
    return;
  }
  // The end of the game is reported by its own event.
  const bool ended = no.why == refusal::game_over || no.why == refusal::opponent_left ||
                     no.why == refusal::not_in_game;
  if (state_ != state::think || ended) return;
  prompted_ = true;
  reject(m);
}

}  // namespace gamehub::gateways::udp
