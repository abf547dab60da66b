#include "gateways/http/response_bodies.hpp"

#include "gateways/http/client_game_state.hpp"
#include "gateways/http/http.hpp"
#include "gateways/http/player_symbols.hpp"
#include "gateways/http/updates.hpp"
#include "hub/base/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace gamehub::gateways::http {
namespace {

std::string_view status_text(game_status s) {
  switch (s) {
    case game_status::waiting: return "waiting";
    case game_status::running: return "running";
    case game_status::ended: return "ended";
  }
  return "unknown";
}

// Returns a JSON array; `append` writes each item.
template <class Items, class Append>
std::string array_of(const Items& items, Append append) {
  std::string out = "[";
  for (const auto& each : items) {
    if (out.size() > 1) out += ',';
    append(each, out);
  }
  return out += ']';
}

std::string names(const std::vector<std::string>& players) {
  return array_of(players,
                  [](const auto& name, std::string& out) { base::json::append_quoted(name, out); });
}

std::string updates(std::span<const update_ref> all) {
  return array_of(all, [](const update_ref& u, std::string& out) { append_json(*u, out); });
}

void append_winner(const outcome& how, base::json_writer& to) {
  if (how.winner)
    to.text("winner", mark_of(*how.winner).text());
  else if (how.draw())
    to.text("winner", draw_mark.text());
}

std::string_view options_of(const game_metadata& game) {
  return game.options.empty() ? std::string_view{"{}"} : game.options;
}

void append_summary(const game_summary& s, std::string& out) {
  base::json_writer to{out};
  to.begin('{');
  const auto& game = *s.progress.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  to.as_is("options", options_of(game));
  to.text("status", status_text(s.progress.status));
  to.as_is("players", names(game.players));
  if (s.outcome) append_winner(*s.outcome, to);
  to.number("last_update_id", s.progress.last);
  to.end('}');
}

void append_actions(const std::vector<legal_action>& all, base::json_writer& to) {
  to.as_is("actions", array_of(all, [](const legal_action& a, std::string& list) {
             base::json::append_quoted(a.text, list);
           }));
  const auto on_board = [](const legal_action& a) { return a.cell.has_value(); };
  if (!all.empty() && std::all_of(all.begin(), all.end(), on_board))
    to.as_is("positions", array_of(all, [](const legal_action& a, std::string& list) {
               list += std::to_string(*a.cell);
             }));
}

void append_engine(const engine_account& each, std::string& out) {
  const auto& t = each.traits;
  base::json_writer to{out};
  to.begin('{');
  to.text("engine", t.id);
  to.text("title", t.title);
  to.number("players", t.players);
  to.number("rows", t.rows);
  to.number("columns", t.columns);
  to.text("marks", t.marks);
  to.as_is("options", each.options_schema.empty() ? "{}" : each.options_schema);
  std::string levels = "[";
  for (const auto& level : each.levels) {
    if (levels.size() > 1) levels += ',';
    base::json::append_quoted(level, levels);
  }
  to.as_is("levels", levels += ']');
  to.end('}');
}

// Returns a number with one decimal, the useful precision of a rating.
std::string one_digit(double value) {
  std::array<char, 64> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
  return error == std::errc{} ? std::string{text.data(), end} : "null";
}

}  // namespace

std::string game_list(const game_page& page) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.as_is("games", array_of(page.games, append_summary));
  page.next ? to.text("next", game_json(page.next)) : to.nothing("next");
  to.end('}');
  return out;
}

std::string game_standing(const game_snapshot& snapshot, std::optional<seat_index> seat,
                          std::span<const update_ref> history) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  const auto& game = *snapshot.progress.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  to.as_is("options", options_of(game));
  to.text("status", status_text(snapshot.progress.status));
  to.as_is("players", names(game.players));
  if (seat) to.text("player", mark_of(*seat).text());
  to.text("board", board_of(snapshot.position.cells));
  if (snapshot.position.rows != 0) {
    to.number("rows", snapshot.position.rows);
    to.number("columns", snapshot.position.columns);
  }
  append_turn_or_winner(snapshot.position, to);
  const auto& view = seat && !snapshot.view.empty() ? snapshot.view : snapshot.position.document;
  if (!view.empty()) to.as_is("view", view);
  if (seat && snapshot.progress.status == game_status::running)
    append_actions(snapshot.actions, to);
  if (snapshot.turn_time.count() != 0) to.number("turn_milliseconds", snapshot.turn_time.count());
  if (snapshot.turn_left.count() != 0)
    to.number("turn_milliseconds_left", snapshot.turn_left.count());
  to.number("last_update_id", history.empty() ? snapshot.progress.last : history.back()->number);
  to.as_is("history", updates(history));
  to.end('}');
  return out;
}

std::string game_replay_text(const game_replay& replay) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  const auto& game = *replay.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  to.text("engine_version", game.engine_version);
  to.as_is("options", options_of(game));
  to.as_is("players", names(game.players));
  to.as_is("updates", updates(replay.updates));
  to.end('}');
  return out;
}

std::string engine_list(std::span<const engine_account> all) {
  static const auto reason_against = describe().unsupported_reason;
  std::string out = R"({"engines":[)";
  for (const auto& each : all) {
    if (reason_against(each.traits)) continue;
    if (out.back() == '}') out += ',';
    append_engine(each, out);
  }
  out += "]}";
  return out;
}

std::string leaderboard(std::string_view engine, std::span<const leaderboard_row> best) {
  std::string players = "[";
  std::uint64_t rank = 0;
  for (const auto& each : best) {
    if (rank > 0) players += ',';
    base::json_writer to{players};
    to.begin('{');
    to.number("rank", ++rank);
    to.text("name", each.name);
    to.as_is("rating", one_digit(each.rating));
    to.as_is("deviation", one_digit(each.deviation));
    to.number("games", each.games);
    to.number("wins", each.wins);
    to.number("draws", each.draws);
    to.number("losses", each.losses);
    to.truth("online", each.online);
    to.end('}');
  }
  players += ']';
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.text("engine", engine);
  to.as_is("players", players);
  to.end('}');
  return out;
}

}  // namespace gamehub::gateways::http
