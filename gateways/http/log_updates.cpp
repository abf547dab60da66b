#include "gateways/http/log_updates.hpp"

#include <utility>

#include "gateways/http/marks.hpp"

namespace gamehub::gateways::http {
namespace {

std::string name_at(const game_card& game, std::optional<seat_index> seat) {
  const auto at = static_cast<std::size_t>(seat.value_or(-1));
  return at < game.players.size() ? game.players[at] : std::string{};
}

char mark_at(std::optional<seat_index> seat) { return seat ? mark_of(*seat) : guest_mark; }

game_stands stands(const public_update& u) {
  game_stands out;
  if (u.then) {
    out.board = board_of(u.then->cells);
    out.then = turn_or_winner_of(*u.then);
    if (out.board.empty()) out.view = u.then->document;
  }
  out.player_x = name_at(*u.game, 0);
  out.player_o = name_at(*u.game, 1);
  return out;
}

moved move_of(const public_update& u) {
  moved out;
  out.player = mark_at(u.seat);
  out.position = u.cell;
  if (!u.cell) out.action = u.text;
  if (u.then) {
    out.board = board_of(u.then->cells);
    out.then = turn_or_winner_of(*u.then);
    if (out.board.empty()) out.view = u.then->document;
  }
  return out;
}

// Who is the reason, where a player is: the one who did not win.
std::string loser_of(const public_update& u) {
  const auto winner = u.then && u.then->outcome ? u.then->outcome->winner : u.seat;
  return winner ? name_at(*u.game, 1 - *winner) : std::string{};
}

}  // namespace

turn_or_winner turn_or_winner_of(const public_position& p) {
  turn_or_winner out;
  if (p.outcome) {
    if (p.outcome->winner)
      out.winner = mark_of(*p.outcome->winner);
    else if (p.outcome->draw())
      out.winner = draw_mark;
  } else if (const auto seat = only_seat(p.to_move)) {
    out.turn = mark_of(*seat);
  }
  return out;
}

std::string end_reason_of(const public_update& u) {
  if (!u.then || !u.then->outcome) return "the game is over";
  switch (u.then->outcome->reason) {
    case end_reason::rules: return "the game is complete";
    case end_reason::left: return quit_reason(loser_of(u));
    case end_reason::clock: return loser_of(u) + " ran out of time";
    case end_reason::drained: return "the hub went down";
    case end_reason::operator_: return u.text.empty() ? "an operator ended the game" : u.text;
    case end_reason::failed: return "something went wrong in the hub";
    case end_reason::interrupted: return "the hub was away, and not everyone came back";
  }
  return "the game is over";
}

update update_of(const public_update& u) {
  using kind = public_update::kind;
  update out;
  out.number = u.number;
  out.at = u.at;
  switch (u.what) {
    case kind::opened:
    case kind::drawn: out.what = stands(u); break;
    case kind::moved:
      if (u.hidden)
        out.what = stands(u);
      else
        out.what = move_of(u);
      break;
    case kind::joined: out.what = came{u.name, mark_at(u.seat)}; break;
    case kind::left: out.what = went{u.name, mark_at(u.seat)}; break;
    case kind::said: out.what = said{u.name, u.text}; break;
    case kind::ended: out.what = game_ended{end_reason_of(u)}; break;
  }
  return out;
}

}  // namespace gamehub::gateways::http
