// What the hub tells a machine: the half of it that clients do not see. machine.cpp has the table.
#include "gateways/udp/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "gateways/udp/udp_limits.hpp"

namespace gamehub::gateways::udp {
namespace {

std::uint16_t blanks_of(const position& p) {
  const auto cells = std::min<std::size_t>(p.cells.size(), limits::udp_cells_max);
  unsigned out = 0;
  for (std::size_t i = 0; i < cells; ++i)
    if (p.cells[i] == '-') out |= 1u << i;
  return static_cast<std::uint16_t>(out);
}

// How the game ended for this seat; none if it has no result.
char status_of(const outcome& end, seat_index seat) {
  if (end.winner) return *end.winner == seat ? bytes::client_won : bytes::hub_won;
  return end.draw() ? bytes::draw : bytes::none;
}

}  // namespace

step machine::tell(const event& e, instant now) {
  moment m{{}, now};
  if (const auto* game = std::get_if<started>(&e.what)) {
    seated_ = true;
    seat_ = static_cast<std::int8_t>(game->seat);
  } else if (const auto* p = std::get_if<position_ref>(&e.what)) {
    if (*p) see(**p, m);
  } else if (const auto* no = std::get_if<refused>(&e.what)) {
    see_refusal(*no, m);
  }
  return settle(m);
}

step machine::hub_closed(instant now) {
  moment m{{}, now};
  if (in_play() && !over_) end_without_result(m);
  over_ = true;
  return settle(m);
}

void machine::see(const position& p, moment& m) {
  const auto blank = blanks_of(p);
  const auto filled = static_cast<std::uint16_t>(free_ & ~blank);
  free_ = blank;
  const bool theirs = p.by && *p.by != seat_;
  if (theirs && filled != 0) move_ = bytes::digit(std::countr_zero(filled));
  const bool can_tell = theirs && filled != 0 && (state_ == state::think || state_ == state::open);
  if (p.outcome) return see_end(p, can_tell, m);
  prompted_ = holds(p.to_move, seat_);
  if (!in_play()) return;
  if (theirs && filled == 0) {
    // No cell was taken, so that there is no digit for the move: nobody could play on.
    m.out.wish = wish::leave;
    finish_unasked(bytes::hub_won, m);
  } else if (can_tell) {
    if (state_ == state::think || owes_opening_) move(m);
  } else if (prompted_ && state_ == state::think && !p.by) {
    commit(m);
  }
}

void machine::see_end(const position& p, bool moved_here, moment& m) {
  over_ = true;
  prompted_ = false;
  const auto status = status_of(*p.outcome, seat_);
  if (state_ == state::final_ && resigned_ && status != bytes::none) {
    // It ended in another way before the hub heard of the resignation.
    status_ = status;
  }
  if (!in_play()) return;
  if (status == bytes::none) {
    end_without_result(m);
  } else if (moved_here) {
    status_ = status;
    if (state_ == state::think || owes_opening_) move(m);
  } else if (p.by == seat_ && state_ == state::think) {
    finish(status, bytes::end_of_turn, m);
  } else {
    finish_unasked(status, m);
  }
}

void machine::see_refusal(const refused& no, moment& m) {
  if (!in_play() || over_) return;
  if (!seated_) {
    over_ = true;
    end_without_result(m);
    return;
  }
  // The end of the game has its own event.
  const bool ended = no.why == refusal::game_over || no.why == refusal::opponent_left ||
                     no.why == refusal::not_in_game;
  if (state_ != state::think || ended) return;
  prompted_ = true;
  reject(m);
}

}  // namespace gamehub::gateways::udp
