// A machine of the UDP wire driven by hand: says bytes and events to it at a simulated time, and
// tells the result of each in a few characters. For tests of gateways/udp.
#pragma once

#include "gateways/udp/peer_state_machine.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::tests {

inline std::string_view name_of(gateways::udp::state s) {
  constexpr std::string_view names[] = {"none",  "OPEN",  "TURN",  "INVALID", "PENDING",
                                        "THINK", "MOVED", "FINAL", "ENDED"};
  return names[static_cast<std::size_t>(s)];
}

// The bytes that were said, in brackets the wish to the hub: "A[seek]". Empty where nothing came.
inline std::string output_text(const gateways::udp::machine_output& s) {
  std::string out{s.bytes, s.sent};
  switch (s.request) {
    case gateways::udp::hub_request::nothing: break;
    case gateways::udp::hub_request::seek: out += "[seek]"; break;
    case gateways::udp::hub_request::play: out += "[play " + std::to_string(s.cell) + "]"; break;
    case gateways::udp::hub_request::leave: out += "[leave]"; break;
  }
  return out;
}

struct driven_machine {
  gateways::udp::peer_state_machine it;
  gateways::udp::machine_settings on;
  base::instant now{std::chrono::hours{1}};
  std::string cells = "---------";
  // Of each move of the hub: enough that its first true echo proves the address.
  std::uint8_t information = limits::udp_proof;

  // What comes of the bytes, one after the other, with blanks between.
  std::string send(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes) out += output_text(it.receive(byte, now, on)) + ' ';
    if (!out.empty()) out.pop_back();
    return out;
  }

  std::string deliver(decltype(event::what) what) {
    event e;
    e.game = game_id{7};
    e.what = std::move(what);
    return output_text(it.on_event(e, now, information));
  }

  // The game begins.
  std::string start(seat_index seat) {
    started s;
    s.engine = "tictactoe";
    s.marks = "XO";
    s.players = {"ann", "bob"};
    s.seat = seat;
    return deliver(s) + show(std::nullopt, 0);
  }

  // A position after a move of this seat, or after none.
  std::string show(std::optional<seat_index> by, seat_index to_move) {
    position p;
    p.by = by;
    p.to_move = p.prompted = only(to_move);
    p.rows = p.columns = 3;
    p.cells = cells;
    return deliver(std::make_shared<const position>(p));
  }

  // The move of a seat, which the next one follows or the end.
  std::string moves(seat_index by, int cell) {
    cells[static_cast<std::size_t>(cell)] = by == 0 ? 'X' : 'O';
    return show(by, 1 - by);
  }
  std::string ends(end_reason why, std::optional<seat_index> winner,
                   std::optional<seat_index> by = std::nullopt) {
    position p;
    p.by = by;
    p.rows = p.columns = 3;
    p.cells = cells;
    p.outcome = outcome{why, winner, {}};
    return deliver(std::make_shared<const position>(p));
  }
  std::string moves_and_ends(seat_index by, int cell, std::optional<seat_index> winner) {
    cells[static_cast<std::size_t>(cell)] = by == 0 ? 'X' : 'O';
    return ends(end_reason::rules, winner, by);
  }

  std::string refuse(refusal why) {
    refused no;
    no.why = why;
    return deliver(no);
  }

  // So much time passes; what is said meanwhile.
  std::string pass(base::duration time) {
    std::string out;
    const auto until = now + time;
    while (it.next() <= until) {
      now = it.next();
      out += output_text(it.advance(now));
    }
    now = until;
    return out;
  }

  std::string_view at() const { return name_of(it.at()); }
};

}  // namespace gamehub::tests
