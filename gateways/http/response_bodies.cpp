#include "gateways/http/response_bodies.hpp"

#include "gateways/http/client_game_state.hpp"
#include "gateways/http/http.hpp"
#include "gateways/http/player_symbols.hpp"
#include "gateways/http/updates.hpp"
#include "hub/base/json.hpp"
#include "hub/base/time.hpp"

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
  out += ']';
  return out;
}

std::string names(const std::vector<std::string>& players) {
  return array_of(players,
                  [](const auto& name, std::string& out) { base::json::append_quoted(name, out); });
}

// Appends the names of the players, and what the hub knows of them.
void append_players(const game_metadata& game, base::json_writer& to) {
  to.number("seats", game.players.size());
  to.as_is("players", names(game.players));
  to.as_is("kinds", array_of(game.kinds, [](seat_kind k, std::string& out) {
             base::json::append_quoted(to_string(k), out);
           }));
  if (!game.reserved_for.empty()) to.text("reserved_for", game.reserved_for);
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

void append_options(const game_metadata& game, base::json_writer& to) {
  to.as_is("options", options_of(game));
  if (game.clock) to.text("clock_rule", to_text(*game.clock));
}

void append_summary(const game_summary& s, base::instant now, std::string& out) {
  base::json_writer to{out};
  to.begin('{');
  const auto& game = *s.progress.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  append_options(game, to);
  to.text("status", status_text(s.progress.status));
  append_players(game, to);
  to.text("opened", base::iso_time(game.opened));
  if (s.outcome) {
    append_winner(*s.outcome, to);
    to.text("code", end_code_of(*s.outcome));
  }
  append_clock(s.clock, now, to);
  to.number("last_update_id", s.progress.last);
  to.end('}');
}

// The players without a client, and for how long their seats are kept.
void append_away(const std::vector<absence>& all, base::instant now, base::json_writer& to) {
  to.as_is("away", array_of(all, [now](const absence& each, std::string& out) {
             base::json_writer one{out};
             one.begin('{');
             one.text("player", mark_of(each.seat).text());
             append_time_kept(each, now, one);
             one.end('}');
           }));
}

void append_engine(const engine_account& each, std::string& out, bool with_examples = false) {
  const auto& t = each.traits;
  base::json_writer to{out};
  to.begin('{');
  to.text("engine", t.id);
  to.text("title", t.title);
  to.number("players", t.players);
  to.number("rows", t.rows);
  to.number("columns", t.columns);
  to.text("marks", board_of(t.marks, t.marks));
  to.as_is("options", each.options_schema.empty() ? "{}" : each.options_schema);
  std::string levels = "[";
  for (const auto& level : each.levels) {
    if (levels.size() > 1) levels += ',';
    base::json::append_quoted(level, levels);
  }
  to.as_is("levels", levels += ']');
  to.truth("takeback", t.allows_takeback);
  if (!each.face.empty()) to.as_is("face", each.face);
  if (with_examples && !each.examples.empty()) to.as_is("examples", each.examples);
  to.end('}');
}

// True if it can be played over HTTP.
bool is_playable(const engine_account& each) {
  static const auto reason_against = describe().unsupported_reason;
  return !reason_against(each.traits);
}

void append_offers(std::span<const offer_update> offers, base::json_writer& to) {
  to.key("offers").begin('[');
  const auto append_player = [&](const offer_update& by) {
    to.text("player", mark_of(by.seat).text());
    to.text("name", by.name);
  };
  for (auto at = offers.begin(); at != offers.end();) {
    to.begin('{');
    to.text("what", to_string(at->what));
    append_player(*at);
    if (++at != offers.end() && at->step == offer_step::accepted) {
      to.key("accepted").begin('[');
      for (; at != offers.end() && at->step == offer_step::accepted; ++at) {
        to.begin('{');
        append_player(*at);
        to.end('}');
      }
      to.end(']');
    }
    to.end('}');
  }
  to.end(']');
}

// Returns a number with one decimal, the useful precision of a rating.
std::string one_digit(double value) {
  std::array<char, 64> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
  return error == std::errc{} ? std::string{text.data(), end} : "null";
}

}  // namespace

void update_list::append(const game_update& u) {
  if (!members_.empty()) members_ += ',';
  append_json(u, {}, members_);
  last_ = u.number;
}

std::string game_list(const game_page& page, base::instant now, const notice* said) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.as_is("games", array_of(page.games, [now](const game_summary& each, std::string& list) {
             append_summary(each, now, list);
           }));
  page.next ? to.text("next", game_json(page.next)) : to.nothing("next");
  if (said != nullptr) {
    to.key("notice").begin('{');
    to.text("message", said->message);
    to.text("timestamp", base::iso_time(said->at));
    to.end('}');
  }
  to.end('}');
  return out;
}

std::string to_notice_line(const notice& said, std::chrono::milliseconds left) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.text("type", "notice");
  to.text("message", said.message);
  to.text("timestamp", base::iso_time(said.at));
  to.number("milliseconds_left", left.count());
  to.end('}');
  out += '\n';
  return out;
}

std::string game_standing(const game_snapshot& snapshot, std::optional<seat_index> seat,
                          const update_list& history, base::instant now,
                          std::span<const offer_update> offers) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  const auto& game = *snapshot.progress.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  append_options(game, to);
  to.text("status", status_text(snapshot.progress.status));
  append_players(game, to);
  if (seat) to.text("player", mark_of(*seat).text());
  to.text("board", board_of(snapshot.position.cells, game.marks));
  if (snapshot.position.rows != 0) {
    to.number("rows", snapshot.position.rows);
    to.number("columns", snapshot.position.columns);
  }
  append_turn_or_winner(snapshot.position, to);
  append_score(snapshot.position, to);
  if (const auto& how = snapshot.position.outcome; how && how->scores.size() > marks.size()) {
    to.as_is("scores", scores_text(how->scores));
    append_ranks(*how, to);
  }
  if (const auto& view = snapshot.position.document; !view.empty()) to.as_is("view", view);
  const bool runs = snapshot.progress.status == game_status::running;
  if (seat && runs) append_actions(snapshot.actions, to);
  if (snapshot.turn_time.count() != 0) to.number("turn_milliseconds", snapshot.turn_time.count());
  if (snapshot.turn_left.count() != 0)
    to.number("turn_milliseconds_left", snapshot.turn_left.count());
  append_clock(snapshot.clock, now, to);
  if (runs) append_away(snapshot.away, now, to);
  if (!offers.empty()) append_offers(offers, to);
  to.number("last_update_id", history.last() == 0 ? snapshot.progress.last : history.last());
  to.as_is("history", history.text());
  to.end('}');
  return out;
}

std::string game_replay_text(const game_replay& replay, const update_list& updates) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  const auto& game = *replay.game;
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  to.text("engine_version", game.engine_version);
  append_options(game, to);
  append_players(game, to);
  to.as_is("updates", updates.text());
  to.end('}');
  return out;
}

std::string invitation_text(const std::optional<invitation_state>& found, bool yours) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  if (!found) {
    to.text("status", "gone");
    to.truth("yours", false);
    to.end('}');
    return out;
  }
  const auto& game = *found->game;
  to.text("status", found->status == game_status::waiting ? "waiting" : "taken");
  to.truth("yours", yours);
  to.text("game_id", game_json(game.id));
  to.text("engine", game.engine);
  append_options(game, to);
  to.text("host", game.players.at(static_cast<std::size_t>(found->host)));
  to.number("seats", game.players.size());
  if (game.players.size() == marks.size()) to.text("side", mark_of(1 - found->host).text());
  if (found->rows != 0) {
    to.number("rows", found->rows);
    to.number("columns", found->columns);
  }
  to.end('}');
  return out;
}

std::string engine_list(std::span<const engine_account> all, const clock_policy& clocks) {
  std::string out = R"({"engines":[)";
  for (const auto& each : all) {
    if (!is_playable(each)) continue;
    if (out.back() == '}') out += ',';
    append_engine(each, out);
  }
  out += R"(],"clocks":)";
  base::json_writer to{out};
  to.begin('{');
  to.number("milliseconds_min", clocks.least.count());
  to.number("move_milliseconds_max", clocks.move_max.count());
  to.number("game_milliseconds_max", clocks.game_max.count());
  to.truth("none", clocks.allows_none);
  to.end('}');
  out += '}';
  return out;
}

std::optional<std::string> engine_text(std::span<const engine_account> all, std::string_view id) {
  for (const auto& each : all) {
    if (each.traits.id != id || !is_playable(each)) continue;
    std::string out;
    append_engine(each, out, true);
    return out;
  }
  return std::nullopt;
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
