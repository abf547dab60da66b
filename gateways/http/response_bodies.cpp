#include "gateways/http/server/game_answers.hpp"

#include <algorithm>
#include <string_view>

#include "gateways/http/log_updates.hpp"
#include "gateways/http/marks.hpp"
#include "gateways/http/object_writer.hpp"
#include "gateways/http/server/place.hpp"

namespace gamehub::gateways::http::server {

namespace {

std::string_view status_text(game_status s) {
  switch (s) {
    case game_status::waiting: return "waiting";
    case game_status::running: return "running";
    case game_status::ended: return "ended";
  }
  return "unknown";
}

// Each item as `append` writes it.
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
                  [](const auto& name, std::string& out) { json::append_quoted(name, out); });
}

std::string updates(std::span<const update_ref> all) {
  return array_of(all,
                  [](const update_ref& u, std::string& out) { out += to_json(update_of(*u)); });
}

void append_winner(const outcome& how, object_writer& to) {
  if (how.winner)
    to.mark("winner", mark_of(*how.winner));
  else if (how.draw())
    to.mark("winner", draw_mark);
}

std::string_view options_of(const game_metadata& game) {
  return game.options.empty() ? std::string_view{"{}"} : game.options;
}

void append_summary(const game_summary& s, std::string& out) {
  object_writer to{out};
  const auto& game = *s.progress.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  to.spelled("options", options_of(game));
  to.text("status", status_text(s.progress.status));
  to.spelled("players", names(game.players));
  if (s.outcome) append_winner(*s.outcome, to);
  to.number("last_update_id", s.progress.last);
  to.end();
}

void append_actions(const std::vector<legal_action>& all, object_writer& to) {
  to.spelled("actions", array_of(all, [](const legal_action& a, std::string& list) {
               json::append_quoted(a.text, list);
             }));
  const auto on_board = [](const legal_action& a) { return a.cell.has_value(); };
  if (!all.empty() && std::all_of(all.begin(), all.end(), on_board))
    to.spelled("positions", array_of(all, [](const legal_action& a, std::string& list) {
                 list += std::to_string(*a.cell);
               }));
}

}  // namespace

std::string game_list(const game_page& page) {
  std::string out;
  object_writer to{out};
  to.spelled("games", array_of(page.games, append_summary));
  page.next ? to.text("next", game_json(page.next)) : to.nothing("next");
  to.end();
  return out;
}

std::string game_standing(const game_snapshot& look, std::optional<seat_index> seat,
                          std::span<const update_ref> history) {
  std::string out;
  object_writer to{out};
  const auto& game = *look.progress.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  to.spelled("options", options_of(game));
  to.text("status", status_text(look.progress.status));
  to.spelled("players", names(game.players));
  if (seat) to.mark("player", mark_of(*seat));
  to.text("board", board_of(look.position.cells));
  if (look.position.rows != 0) {
    to.integer("rows", look.position.rows);
    to.integer("columns", look.position.columns);
  }
  const auto then = turn_or_winner_of(look.position);
  if (then.winner != '\0')
    to.mark("winner", then.winner);
  else if (then.turn != '\0')
    to.mark("turn", then.turn);
  const auto& view = seat && !look.view.empty() ? look.view : look.position.document;
  if (!view.empty()) to.spelled("view", view);
  if (seat && look.progress.status == game_status::running) append_actions(look.actions, to);
  if (look.turn_time.count() != 0) to.integer("turn_milliseconds", look.turn_time.count());
  if (look.turn_left.count() != 0) to.integer("turn_milliseconds_left", look.turn_left.count());
  to.number("last_update_id", history.empty() ? look.progress.last : history.back()->number);
  to.spelled("history", updates(history));
  to.end();
  return out;
}

std::string game_replay_text(const game_replay& replay) {
  std::string out;
  object_writer to{out};
  const auto& game = *replay.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  to.text("engine_version", game.engine_version);
  to.spelled("options", options_of(game));
  to.spelled("players", names(game.players));
  to.spelled("updates", updates(replay.updates));
  to.end();
  return out;
}

}  // namespace gamehub::gateways::http::server
