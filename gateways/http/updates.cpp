#include "gateways/http/updates.hpp"

#include "gateways/http/player_symbols.hpp"
#include "hub/base/json.hpp"

#include <algorithm>
#include <chrono>

namespace gamehub::gateways::http {
namespace {

std::string name_at(const game_metadata& game, std::optional<seat_index> seat) {
  const auto at = static_cast<std::size_t>(seat.value_or(-1));
  return at < game.players.size() ? game.players[at] : std::string{};
}

player_symbol mark_at(std::optional<seat_index> seat) { return seat ? mark_of(*seat) : guest_mark; }

status_update status_of(const game_update& u) {
  status_update out;
  if (u.then) {
    out.board = board_of(u.then->cells);
    out.then = turn_or_winner_of(*u.then);
    if (out.board.empty()) out.view = u.then->document;
  }
  out.player_x = name_at(*u.game, 0);
  out.player_o = name_at(*u.game, 1);
  return out;
}

moved move_of(const game_update& u) {
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

// Returns the name of the player whose loss ended the game; of more than two, no single one.
std::string loser_of(const game_update& u) {
  if (u.game->players.size() > marks.size()) return "a player";
  const auto winner = u.then && u.then->outcome ? u.then->outcome->winner : u.seat;
  return winner ? name_at(*u.game, 1 - *winner) : std::string{};
}

void write(const turn_or_winner& then, base::json_writer& to) {
  if (!then.winner.empty())
    to.text("winner", then.winner.text());
  else if (!then.turn.empty())
    to.text("turn", then.turn.text());
}

void write(const status_update& u, base::json_writer& to) {
  to.text("type", "status");
  to.text("board", u.board);
  write(u.then, to);
  to.text("playerX", u.player_x);
  to.text("playerO", u.player_o);
  if (!u.view.empty()) to.as_is("view", u.view);
}

void write(const joined& u, base::json_writer& to) {
  to.text("type", "connect");
  to.text("name", u.name);
  to.text("player", u.player.text());
}

void write(const left& u, base::json_writer& to) {
  to.text("type", "disconnect");
  to.text("name", u.name);
  to.text("player", u.player.text());
}

void write(const moved& u, base::json_writer& to) {
  to.text("type", "move");
  to.text("board", u.board);
  write(u.then, to);
  to.text("player", u.player.text());
  u.position ? to.number("position", *u.position) : to.nothing("position");
  if (!u.action.empty()) to.text("action", u.action);
  if (!u.view.empty()) to.as_is("view", u.view);
}

void write(const chat_message& u, base::json_writer& to) {
  to.text("type", "chat");
  to.text("name", u.name);
  to.text("message", u.message);
}

void write(const game_ended& u, base::json_writer& to) {
  to.text("type", "end");
  to.text("reason", u.reason);
}

}  // namespace

std::string board_of(std::string_view cells) {
  std::string out{cells};
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::string to_json(const update& u) {
  std::string out;
  out.reserve(192);
  base::json_writer to{out};
  to.begin('{');
  std::visit([&](const auto& what) { write(what, to); }, u.what);
  to.number("update_id", u.number);
  to.number("cursor", u.number);
  to.text("timestamp", base::iso_time(u.at));
  to.end('}');
  return out;
}

std::string to_line(const update& u) { return to_json(u) + '\n'; }

std::string to_event(const update& u) {
  return "id: " + std::to_string(u.number) + "\ndata: " + to_json(u) + "\n\n";
}

std::string quit_reason(std::string_view name) { return std::string{name} + " quit the game"; }

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

std::string end_reason_of(const game_update& u) {
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

update update_of(const game_update& u) {
  using kind = game_update::kind;
  update out;
  out.number = u.number;
  out.at = u.at;
  switch (u.what) {
    case kind::opened:
    case kind::drawn: out.what = status_of(u); break;
    case kind::moved:
      if (u.hidden)
        out.what = status_of(u);
      else
        out.what = move_of(u);
      break;
    case kind::joined: out.what = joined{u.name, mark_at(u.seat)}; break;
    case kind::left: out.what = left{u.name, mark_at(u.seat)}; break;
    case kind::said: out.what = chat_message{u.name, u.text}; break;
    case kind::ended: out.what = game_ended{end_reason_of(u)}; break;
  }
  return out;
}

}  // namespace gamehub::gateways::http
