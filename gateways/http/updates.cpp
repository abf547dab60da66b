#include "gateways/http/updates.hpp"

#include "gateways/http/http_limits.hpp"
#include "gateways/http/player_symbols.hpp"
#include "hub/core/ranks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gamehub::gateways::http {
namespace {

std::string_view name_at(const game_metadata& game, std::optional<seat_index> seat) {
  const auto at = static_cast<std::size_t>(seat.value_or(-1));
  return at < game.players.size() ? std::string_view{game.players[at]} : std::string_view{};
}

player_symbol mark_at(std::optional<seat_index> seat) { return seat ? mark_of(*seat) : guest_mark; }

void append_board(const game_update& u, base::json_writer& to) {
  to.text("board", u.then ? board_of(u.then->cells, u.game->marks) : std::string{});
  if (!u.then) return;
  append_turn_or_winner(*u.then, to);
  append_score(*u.then, to);
}

// The document of a player is shown besides its board, because actions may need it.
void append_view(const position& p, bool own, base::json_writer& to) {
  if ((own || p.cells.empty()) && !p.document.empty()) to.as_is("view", p.document);
}

void append_view(const game_update& u, base::json_writer& to) {
  if (u.then) append_view(*u.then, u.as.has_value(), to);
}

void append_players(const game_metadata& game, base::json_writer& to) {
  to.number("seats", game.players.size());
  to.key("players").begin('[');
  for (const auto& name : game.players) to.text(name);
  to.end(']');
}

// The game starts, or it has changed other than by a public move: by chance, or by a choice that is
// hidden for now.
void append_status_update(const game_update& u, base::json_writer& to) {
  to.text("type", "status");
  append_board(u, to);
  to.text("playerX", name_at(*u.game, 0));
  to.text("playerO", name_at(*u.game, 1));
  if (u.game->players.size() > marks.size()) append_players(*u.game, to);
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

// Returns the word of the cause why a player does not play on.
std::string_view substitute_cause(std::string_view logged) {
  return logged.empty() ? "quit" : logged;
}

// Returns the name of the player whose loss ended the game; of more than two, no single one.
std::string loser_of(const game_update& u) {
  if (u.game->players.size() > marks.size()) return "a player";
  if (u.game->players.size() == 1) return u.game->players.front();
  const auto winner = u.then->outcome->winner;
  return std::string{winner ? name_at(*u.game, 1 - *winner) : std::string_view{}};
}

// Returns how the loser left, from the word in the journal.
std::string_view left_phrase(std::string_view cause) {
  if (cause == to_string(leave_cause::disconnected)) return " disconnected";
  if (cause == to_string(leave_cause::bot_error)) return " made an error";
  if (cause == to_string(leave_cause::banned)) return " was banned";
  return " quit the game";
}

// Returns the reason why a game ended, as text for people. Requires: the update ends the game.
std::string end_reason_of(const game_update& u) {
  if (!u.then || !u.then->outcome) return "the game is over";
  switch (u.then->outcome->reason) {
    case end_reason::rules: return "the game is complete";
    case end_reason::agreed: return "the players agreed on a draw";
    case end_reason::left:
      if (u.game->players.size() > marks.size()) return "too few players are left";
      return loser_of(u) + std::string{left_phrase(u.text)};
    case end_reason::clock: return loser_of(u) + " ran out of time";
    case end_reason::drained: return "the hub went down";
    case end_reason::operator_: return u.text.empty() ? "an operator ended the game" : u.text;
    case end_reason::failed: return "the game failed: a fault of its engine or of the hub";
    case end_reason::interrupted: return "the hub was away, and not everyone came back";
  }
  return "the game is over";
}

}  // namespace

std::string_view end_code_of(const outcome& how) {
  switch (how.reason) {
    case end_reason::rules: return how.draw() ? "draw" : "rules";
    case end_reason::agreed: return "agreed";
    case end_reason::left: return "left";
    case end_reason::clock: return "clock";
    case end_reason::drained: return "drained";
    case end_reason::operator_: return "operator";
    case end_reason::failed: return "failed";
    case end_reason::interrupted: return "interrupted";
  }
  return "failed";
}

namespace {

void append_end(const outcome& how, std::string_view reason, base::json_writer& to) {
  to.text("reason", reason);
  to.text("code", end_code_of(how));
  if (how.winner)
    to.text("winner", mark_of(*how.winner).text());
  else if (how.draw())
    to.text("winner", draw_mark.text());
  else
    to.nothing("winner");
  to.as_is("scores", scores_text(how.scores));
  append_ranks(how, to);
}

void append_end_update(const game_update& u, base::json_writer& to) {
  to.text("type", "end");
  append_end(u.then && u.then->outcome ? *u.then->outcome : outcome{end_reason::failed, {}, {}},
             end_reason_of(u), to);
}

void append_change_of_player(std::string_view type, const game_update& u, base::json_writer& to) {
  append_presence(type, u, to);
  if (u.what != game_update::kind::substituted) return;
  to.text("cause", substitute_cause(u.text));
}

void append_offer(const offer_update& o, base::json_writer& to) {
  const bool stands = o.step == offer_step::offered;
  to.text("what", to_string(o.what));
  if (!stands) to.text("answer", to_string(o.step));
  to.text("player", mark_of(o.seat).text());
  to.text("name", o.name);
  if (o.cause != offer_cause::request) to.text("cause", to_string(o.cause));
  if (o.next) to.text("game_id", std::to_string(o.next.value));
}

std::string_view type_of(const offer_update& o) {
  return o.step == offer_step::offered ? "offer" : "answer";
}

void append_update_members(const game_update& u, base::json_writer& to) {
  using kind = game_update::kind;
  switch (u.what) {
    case kind::opened: return append_status_update(u, to);
    case kind::drawn:
      append_status_update(u, to);
      if (!u.text.empty()) to.text("action", u.text);
      return;
    case kind::moved: return u.hidden ? append_status_update(u, to) : append_move_update(u, to);
    case kind::joined: return append_presence("connect", u, to);
    case kind::left: return append_presence("disconnect", u, to);
    case kind::said:
      to.text("type", "chat");
      to.text("name", u.name);
      return to.text("message", u.text);
    case kind::renamed:
      to.text("type", "rename");
      to.text("player", mark_at(u.seat).text());
      to.text("name", u.name);
      return to.text("old_name", u.text);
    case kind::substituted: return append_change_of_player("substitute", u, to);
    case kind::returned: return append_change_of_player("return", u, to);
    case kind::ended: return append_end_update(u, to);
    case kind::offer_changed: to.text("type", type_of(*u.offer)); return append_offer(*u.offer, to);
    case kind::taken_back:
      append_status_update(u, to);
      to.number("taken_back", u.back_to);
      to.text("player", mark_at(u.seat).text());
      return to.text("name", u.name);
  }
}

void append_stamp(std::uint64_t number, base::wall_time at, base::json_writer& to) {
  to.number("update_id", number);
  to.number("cursor", number);
  to.text("timestamp", base::iso_time(at));
}

// Most lines are shorter.
constexpr std::size_t line_bytes = 512;

template <class Append>
std::string live_line(const live_stamp& stamp, std::string_view type, Append append) {
  std::string out;
  out.reserve(line_bytes);
  base::json_writer to{out};
  to.begin('{');
  to.text("type", type);
  append(to);
  append_stamp(stamp.number, stamp.at, to);
  to.end('}');
  out += '\n';
  return out;
}

// Most scores are counts, which are written without a fraction.
void append_score_of_seat(double score, base::json_writer& to) {
  constexpr double exact_max = 1e15;
  if (std::isnan(score))
    to.nothing();
  else if (score == std::trunc(score) && std::abs(score) < exact_max)
    to.number(static_cast<std::int64_t>(score));
  else
    to.number(score);
}

}  // namespace

std::uint32_t extra_requests_of(const game_progress& p) {
  if (p.status != game_status::ended) return 0;
  const auto each = limits::http_records_per_request;
  return static_cast<std::uint32_t>((p.last + each - 1) / each);
}

std::string board_of(std::string_view cells, std::string_view of_engine) {
  std::string out{cells}, letters{of_engine};
  for (std::size_t seat = 0; seat < std::min(marks.size(), letters.size()); ++seat)
    if (const auto from = letters[seat], to = marks[seat]; from != to)
      for (auto* text : {&out, &letters})
        for (auto& c : *text)
          if (c == from || c == to) c = c == from ? to : from;
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

void append_seats(std::string_view name, seat_set seats, base::json_writer& to) {
  to.key(name).begin('[');
  for (; seats != 0; seats &= seats - 1)
    to.text(mark_of(static_cast<seat_index>(std::countr_zero(seats))).text());
  to.end(']');
}

void append_ranks(const outcome& how, base::json_writer& to) {
  if (how.scores.size() <= marks.size()) return;
  to.key("ranks").begin('[');
  for (const auto rank : ranks_of(how)) to.number(rank);
  to.end(']');
  append_seats("forfeits", how.forfeits, to);
}

void append_turn_or_winner(const position& p, base::json_writer& to) {
  if (p.substituted != 0 && !p.outcome) append_seats("substitutes", p.substituted, to);
  if (!p.outcome) {
    if (const auto seat = only_seat(p.to_move)) to.text("turn", mark_of(*seat).text());
  } else if (p.outcome->winner) {
    to.text("winner", mark_of(*p.outcome->winner).text());
  } else if (p.outcome->draw()) {
    to.text("winner", draw_mark.text());
  }
}

void append_score(const position& p, base::json_writer& to) {
  if (!p.score.empty()) {
    to.key("score").begin('[');
    for (const double each : p.score) append_score_of_seat(each, to);
    to.end(']');
  }
  if (!p.summary.empty()) to.text("summary", p.summary);
}

void append_clock(const game_clock& clock, base::instant now, base::json_writer& to) {
  if (!clock) return;
  to.key("clock").begin('{');
  to.key("milliseconds_left").begin('[');
  for (std::size_t i = 0; i < clock.left.size(); ++i)
    to.number(clock.left_at(static_cast<seat_index>(i), now).count());
  to.end(']');
  to.key("runs").begin('[');
  for (std::size_t i = 0; i < clock.left.size(); ++i)
    if (const auto seat = static_cast<seat_index>(i); holds(clock.running, seat))
      to.text(mark_of(seat).text());
  to.end(']');
  if (!clock.periods.empty()) {
    to.key("periods").begin('[');
    for (std::size_t i = 0; i < clock.left.size(); ++i)
      to.number(clock.at_seat(static_cast<seat_index>(i), now).periods);
    to.end(']');
  }
  to.end('}');
}

void append_actions(const std::vector<legal_action>& all, base::json_writer& to) {
  to.key("actions").begin('[');
  for (const auto& a : all) to.text(a.text);
  to.end(']');
  const auto on_board = [](const legal_action& a) { return a.cell.has_value(); };
  if (all.empty() || !std::all_of(all.begin(), all.end(), on_board)) return;
  to.key("positions").begin('[');
  for (const auto& a : all) to.number(*a.cell);
  to.end(']');
}

std::string scores_text(std::span<const double> scores) {
  std::string out;
  base::json_writer to{out};
  to.begin('[');
  // Zero has no sign.
  for (const auto each : scores) to.number(each == 0.0 ? 0.0 : each);
  to.end(']');
  return out;
}

void append_time_kept(const absence& a, base::instant now, base::json_writer& to) {
  const auto append_left = [&](std::string_view name, base::instant until) {
    if (until == base::instant::max()) return;
    using std::chrono::milliseconds;
    const auto left = std::chrono::duration_cast<milliseconds>(until - now);
    to.number(name, std::max(left, milliseconds{0}).count());
  };
  append_left("milliseconds_left", a.kept_until);
  append_left("claim_milliseconds", a.claimable_at);
}

bool has_actions(const game_update& u) {
  using kind = game_update::kind;
  return u.what == kind::opened || u.what == kind::moved || u.what == kind::drawn ||
         u.what == kind::taken_back;
}

void append_json(const game_update& u, const shown_present& present, std::string& out) {
  base::json_writer to{out};
  to.begin('{');
  append_update_members(u, to);
  if (present.state != nullptr) {
    if (present.state->actions && has_actions(u)) append_actions(*present.state->actions, to);
    append_clock(present.state->clock, present.now, to);
  }
  append_stamp(u.number, u.at, to);
  to.end('}');
}

std::string to_line(const game_update& u, const shown_present& present) {
  std::string out;
  out.reserve(line_bytes);
  append_json(u, present, out);
  out += '\n';
  return out;
}

std::string to_state_line(const live_stamp& stamp, const game_present& present,
                          const position_ref& latest, std::string_view of_engine, bool own) {
  return live_line(stamp, "state", [&](base::json_writer& to) {
    to.text("board", latest ? board_of(latest->cells, of_engine) : std::string{});
    if (latest) {
      append_turn_or_winner(*latest, to);
      append_view(*latest, own, to);
    }
    if (present.actions) append_actions(*present.actions, to);
    append_clock(present.clock, stamp.now, to);
  });
}

std::string to_players_line(const live_stamp& stamp, const game_metadata& game) {
  return live_line(stamp, "state", [&](base::json_writer& to) {
    to.text("board", {});
    append_players(game, to);
  });
}

std::string to_withdrawn_line(const live_stamp& stamp) {
  return live_line(stamp, "end", [](base::json_writer& to) {
    append_end(outcome{end_reason::left, {}, {}}, "the game was withdrawn before it began", to);
  });
}

std::string to_away_line(const live_stamp& stamp, const game_metadata& game, const absence& who) {
  return live_line(stamp, "away", [&](base::json_writer& to) {
    to.text("player", mark_of(who.seat).text());
    to.text("name", name_at(game, who.seat));
    append_time_kept(who, stamp.now, to);
  });
}

std::string to_back_line(const live_stamp& stamp, const game_metadata& game, seat_index seat) {
  return live_line(stamp, "back", [&](base::json_writer& to) {
    to.text("player", mark_of(seat).text());
    to.text("name", name_at(game, seat));
  });
}

std::string to_offer_line(const live_stamp& stamp, const offer_update& o) {
  return live_line(stamp, type_of(o), [&](base::json_writer& to) { append_offer(o, to); });
}

std::string to_event(std::uint64_t number, std::string_view line) {
  return "id: " + std::to_string(number) + "\ndata: " + std::string{line} + "\n";
}

}  // namespace gamehub::gateways::http
