#include "gateways/http/updates.hpp"

#include "gateways/http/player_symbols.hpp"

#include <algorithm>

namespace gamehub::gateways::http {
namespace {

std::string_view name_at(const game_metadata& game, std::optional<seat_index> seat) {
  const auto at = static_cast<std::size_t>(seat.value_or(-1));
  return at < game.players.size() ? std::string_view{game.players[at]} : std::string_view{};
}

player_symbol mark_at(std::optional<seat_index> seat) { return seat ? mark_of(*seat) : guest_mark; }

void append_board(const game_update& u, base::json_writer& to) {
  to.text("board", u.then ? board_of(u.then->cells) : std::string{});
  if (u.then) append_turn_or_winner(*u.then, to);
}

void append_view(const game_update& u, base::json_writer& to) {
  if (u.then && u.then->cells.empty() && !u.then->document.empty())
    to.as_is("view", u.then->document);
}

// The game starts, or it has changed other than by a public move: by chance, or by a choice that is
// hidden for now.
void append_status_update(const game_update& u, base::json_writer& to) {
  to.text("type", "status");
  append_board(u, to);
  to.text("playerX", name_at(*u.game, 0));
  to.text("playerO", name_at(*u.game, 1));
  append_view(u, to);
}

// The action is text unless it is a cell.
void append_move_update(const game_update& u, base::json_writer& to) {
  to.text("type", "move");
  append_board(u, to);
  to.text("player", mark_at(u.seat).text());
  u.cell ? to.number("position", *u.cell) : to.nothing("position");
  if (!u.cell && !u.text.empty()) to.text("action", u.text);
  append_view(u, to);
}

void append_presence(std::string_view type, const game_update& u, base::json_writer& to) {
  to.text("type", type);
  to.text("name", u.name);
  to.text("player", mark_at(u.seat).text());
}

// Returns the name of the player whose loss ended the game; of more than two, no single one.
std::string loser_of(const game_update& u) {
  if (u.game->players.size() > marks.size()) return "a player";
  const auto winner = u.then->outcome->winner;
  return std::string{winner ? name_at(*u.game, 1 - *winner) : std::string_view{}};
}

// Returns the reason why a game ended, as text for people. Requires: the update ends the game.
std::string end_reason_of(const game_update& u) {
  if (!u.then || !u.then->outcome) return "the game is over";
  switch (u.then->outcome->reason) {
    case end_reason::rules: return "the game is complete";
    case end_reason::left: return loser_of(u) + " quit the game";
    case end_reason::clock: return loser_of(u) + " ran out of time";
    case end_reason::drained: return "the hub went down";
    case end_reason::operator_: return u.text.empty() ? "an operator ended the game" : u.text;
    case end_reason::failed: return "something went wrong in the hub";
    case end_reason::interrupted: return "the hub was away, and not everyone came back";
  }
  return "the game is over";
}

void append_update_members(const game_update& u, base::json_writer& to) {
  using kind = game_update::kind;
  switch (u.what) {
    case kind::opened:
    case kind::drawn: return append_status_update(u, to);
    case kind::moved: return u.hidden ? append_status_update(u, to) : append_move_update(u, to);
    case kind::joined: return append_presence("connect", u, to);
    case kind::left: return append_presence("disconnect", u, to);
    case kind::said:
      to.text("type", "chat");
      to.text("name", u.name);
      return to.text("message", u.text);
    case kind::ended: to.text("type", "end"); return to.text("reason", end_reason_of(u));
  }
}

}  // namespace

std::string board_of(std::string_view cells) {
  std::string out{cells};
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

void append_turn_or_winner(const position& p, base::json_writer& to) {
  if (!p.outcome) {
    if (const auto seat = only_seat(p.to_move)) to.text("turn", mark_of(*seat).text());
  } else if (p.outcome->winner) {
    to.text("winner", mark_of(*p.outcome->winner).text());
  } else if (p.outcome->draw()) {
    to.text("winner", draw_mark.text());
  }
}

void append_json(const game_update& u, std::string& out) {
  base::json_writer to{out};
  to.begin('{');
  append_update_members(u, to);
  to.number("update_id", u.number);
  to.number("cursor", u.number);
  to.text("timestamp", base::iso_time(u.at));
  to.end('}');
}

std::string to_line(const game_update& u) {
  std::string out;
  out.reserve(256);
  append_json(u, out);
  return out += '\n';
}

std::string to_event(std::uint64_t number, std::string_view line) {
  return "id: " + std::to_string(number) + "\ndata: " + std::string{line} + "\n";
}

}  // namespace gamehub::gateways::http
