#include "hub/server/admin_commands.hpp"

#include "hub/base/log.hpp"
#include "hub/base/time.hpp"

#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <ctime>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace gamehub::server {
namespace {

using nlohmann::json;
using sanction_kind = moderation::sanction::kind;
using command_verb = admin::operator_command::verb;

std::string_view status_text(game_status s) {
  switch (s) {
    case game_status::waiting: return "waiting";
    case game_status::running: return "running";
    case game_status::ended: return "ended";
  }
  return {};
}

std::optional<game_status> status_of(std::string_view text) {
  for (const auto each : {game_status::waiting, game_status::running, game_status::ended})
    if (status_text(each) == text) return each;
  return std::nullopt;
}

admin::command_answer answer_of(const game_page& page) {
  auto games = json::array();
  for (const auto& each : page.games) {
    const auto& game = *each.progress.game;
    games.push_back({{"game", game.id.value},
                     {"engine", game.engine},
                     {"status", status_text(each.progress.status)},
                     {"players", game.players},
                     {"updates", each.progress.last}});
  }
  const auto next = page.next ? json(page.next.value) : json(nullptr);
  return {200, json{{"games", games}, {"next", next}}.dump()};
}

admin::command_answer answer_of(const player_page& found) {
  auto players = json::array();
  for (const auto& each : found.players)
    players.push_back({{"player", each.id.value},
                       {"name", each.name},
                       {"former_names", each.former},
                       {"waits_on", each.waits_on.empty() ? json(nullptr) : json(each.waits_on)}});
  const auto next = found.more ? json(found.players.back().id.value) : json(nullptr);
  return {200, json{{"players", players}, {"next", next}}.dump()};
}

json outcome_json(const outcome& how) {
  return {{"reason", to_string(how.reason)},
          {"winner", how.winner ? json(*how.winner) : json(nullptr)}};
}

// A game as every spectator may see it.
admin::command_answer answer_of(const game_snapshot& now) {
  const auto& game = *now.progress.game;
  const auto& at = now.position;
  auto to_move = json::array();
  for (std::size_t i = 0; i < game.players.size(); ++i)
    if (holds(at.to_move, static_cast<seat_index>(i))) to_move.push_back(i);
  json out{{"game", game.id.value},
           {"engine", game.engine},
           {"version", game.engine_version},
           {"status", status_text(now.progress.status)},
           {"closed", game.closed},
           {"opened", base::utc_seconds(game.opened)},
           {"players", game.players},
           {"updates", now.progress.last},
           {"to_move", to_move},
           {"turn_milliseconds_left", now.turn_left.count()},
           {"marks", game.marks},
           {"rows", at.rows},
           {"columns", at.columns},
           {"board", at.cells},
           {"outcome", at.outcome ? outcome_json(*at.outcome) : json(nullptr)}};
  // Without a board. What an engine wrote may be no JSON.
  auto view = at.cells.empty() ? json::parse(at.document, nullptr, false) : json(nullptr);
  out["view"] = view.is_discarded() ? json(nullptr) : std::move(view);
  return {200, out.dump(-1, ' ', false, json::error_handler_t::replace)};
}

admin::command_answer mistake(int status, const std::string& sentence) {
  return {status, json{{"error", sentence}}.dump()};
}

sanction_kind kind_of(const admin::operator_command& c) {
  if (c.what == command_verb::mute || c.what == command_verb::unmute)
    return sanction_kind::muted_name;
  return c.name.empty() ? sanction_kind::banned_address : sanction_kind::banned_name;
}

// Returns the name, or the normal form of the address. Empty: the address is not valid.
std::string target_of(const admin::operator_command& c) {
  return c.name.empty() ? moderation::network_text(c.address) : c.name;
}

admin::command_answer no_address() {
  return mistake(400, "address has to be one, or a network such as 192.0.2.0/24");
}

}  // namespace

void admin_commands::carry_out(const admin::operator_command& c, const done& to) {
  switch (c.what) {
    case command_verb::list_games: return list_games(c, to);
    case command_verb::show_game: return show_game(c, to);
    case command_verb::list_players: return list_players(c, to);
    case command_verb::list_sanctions: return to({200, moderation::to_json(sanctions_.all())});
    case command_verb::ban:
    case command_verb::mute:
    case command_verb::unban:
    case command_verb::unmute: return change_sanctions(c, to);
    case command_verb::say: return to(broadcast(c));
    case command_verb::forget_bots: return forget_bots(c, to);
    // The admin server has the list.
    case command_verb::list_orders: return to(mistake(404, "the orders are not here"));
  }
}

void admin_commands::list_games(const admin::operator_command& c, const done& to) {
  list_query query;
  query.engine = c.engine;
  query.status = status_of(c.status);
  query.before = c.before;
  query.limit = c.limit;
  boost::asio::post(loops_.io(0).io(), [this, query, to] {
    runtime_.spectators_for(0).list(query, [to](const game_page& page) { to(answer_of(page)); });
  });
}

void admin_commands::show_game(const admin::operator_command& c, const done& to) {
  boost::asio::post(loops_.io(0).io(), [this, game = c.game, to] {
    runtime_.spectators_for(0).query_snapshot(
        game, std::nullopt, [game, to](const std::optional<game_snapshot>& found) {
          to(found ? answer_of(*found)
                   : mistake(404, "there is no game " + std::to_string(game.value)));
        });
  });
}

void admin_commands::list_players(const admin::operator_command& c, const done& to) {
  runtime_.list_players({c.after, c.name, c.limit},
                        [to](const player_page& found) { to(answer_of(found)); });
}

void admin_commands::change_sanctions(const admin::operator_command& c, const done& to) {
  const auto change = [this, c, to](moderation::sanction_store& in) {
    const auto imposes = c.what == command_verb::ban || c.what == command_verb::mute;
    to(imposes ? impose(in, c, kind_of(c)) : lift(in, c, kind_of(c)));
  };
  if (!sanctions_.change(change))
    to(mistake(503,
               "too many orders wait for the database, so nothing was done: repeat the "
               "command when it can be used"));
}

admin::command_answer admin_commands::impose(moderation::sanction_store& in,
                                             const admin::operator_command& c, sanction_kind what) {
  const auto target = target_of(c);
  if (target.empty()) return no_address();
  std::string unstored;
  try {
    in.add({what, target, c.reason, base::utc_seconds(base::wall_now())});
  } catch (const moderation::not_stored& e) {
    unstored = e.what();
  } catch (const moderation::not_changed& e) {
    return mistake(503, e.what());
  } catch (const std::exception& e) {
    return mistake(500, e.what());
  }
  base::log::info("an operator imposes a sanction",
                  {{"kind", moderation::to_string(what)}, {"whom", target}, {"reason", c.reason}});
  apply_bans();
  if (!unstored.empty()) return mistake(500, unstored);
  return {200, json{{"kind", moderation::to_string(what)}, {"whom", target}}.dump()};
}

admin::command_answer admin_commands::lift(moderation::sanction_store& in,
                                           const admin::operator_command& c, sanction_kind what) {
  const auto target = target_of(c);
  if (target.empty()) return no_address();
  std::string unstored;
  try {
    if (!in.remove(what, target))
      return mistake(404, "there is no such sanction: POST /sanctions lists them");
  } catch (const moderation::not_stored& e) {
    unstored = e.what();
  } catch (const moderation::not_changed& e) {
    return mistake(503, e.what());
  } catch (const std::exception& e) {
    return mistake(500, e.what());
  }
  base::log::info("an operator lifts a sanction",
                  {{"kind", moderation::to_string(what)}, {"whom", target}});
  if (!unstored.empty()) return mistake(500, unstored);
  return {200, json{{"kind", moderation::to_string(what)}, {"whom", target}}.dump()};
}

admin::command_answer admin_commands::broadcast(const admin::operator_command& c) {
  base::log::info("an operator broadcasts a message", {{"text", c.text}});
  listeners_.announce(c.text);
  return {200, json{{"said", c.text}}.dump()};
}

void admin_commands::forget_bots(const admin::operator_command& c, const done& to) {
  league_.remove({c.name, c.owner}, base::wall_now(), [c, to](const auto& names) {
    if (names.empty())
      return to(mistake(404, c.owner.empty() ? "there is no bot \"" + c.name + '"'
                                             : "there is no bot of \"" + c.owner + '"'));
    for (const auto& name : names)
      base::log::info("an operator removes a bot", {{"bot", name}, {"owner", c.owner}});
    to({200, json{{"forgotten", names}}.dump()});
  });
}

void admin_commands::apply_bans() {
  runtime_.bans_changed();
  listeners_.close_banned();
}

}  // namespace gamehub::server
