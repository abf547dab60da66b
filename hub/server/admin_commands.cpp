#include "hub/server/admin_commands.hpp"

#include "hub/admin/hub_answers.hpp"
#include "hub/admin/league_pages.hpp"
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
#include <variant>
#include <vector>

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

// The path of a message between hubs that ends a game.
constexpr std::string_view end_path = "/end";

// The paths of the pages of the arena.
constexpr std::string_view arena_path = "/arena";

admin::command_answer no_arena() {
  return mistake(
      504, "the hub that has the arena did not answer: gamehub cluster status shows the hubs");
}

// Bans and mutes, and the bots, are the same at all hubs or one hub's.
bool concerns_all_hubs(command_verb what) {
  return what == command_verb::list_games || what == command_verb::show_game ||
         what == command_verb::list_players || what == command_verb::say;
}

admin::command_answer merged(const admin::operator_command& c,
                             const std::vector<admin::hub_answer>& all) {
  if (c.what == command_verb::list_games) return admin::merge_games(all, c.limit);
  if (c.what == command_verb::list_players) return admin::merge_players(all, c.limit);
  return c.what == command_verb::say ? admin::merge_done(all) : admin::first_success(all);
}

}  // namespace

void admin_commands::join(cluster_orders& all, std::function<void(const done&)> orders) {
  orders_ = &all;
  orders_here_ = std::move(orders);
  all.start([this](const relay::order& what, const done& to) { answer(what, to); });
}

void admin_commands::carry_out(const admin::operator_command& c, const done& to) {
  if (orders_ != nullptr && concerns_all_hubs(c.what)) return carry_out_at_all(c, to);
  if (c.what == command_verb::forget_bots && arena_is_elsewhere())
    return ask_league({0, "POST", c.path, c.body}, to);
  carry_out_here(c, false, to);
}

void admin_commands::carry_out_at_all(const admin::operator_command& c, const done& to) {
  carry_out_here(c, false, [this, c, to](const admin::command_answer& here) {
    const auto finish = [c, to, own = admin::hub_answer{orders_->self(), here}](auto others) {
      others.insert(others.begin(), own);
      to(merged(c, others));
    };
    // Each hub lists all games that have ended, and has their positions.
    const bool is_enough = c.what == command_verb::show_game ? here.status == 200
                           : c.what == command_verb::list_games
                               ? c.status == status_text(game_status::ended)
                               : false;
    if (is_enough) return finish(std::vector<admin::hub_answer>{});
    orders_->ask({0, "POST", c.path, c.body}, finish);
  });
}

void admin_commands::answer(const relay::order& what, const done& to) {
  if (what.target == end_path) {
    const auto body = json::parse(what.body, nullptr, false);
    if (!body.is_object() || !body.contains("game") || !body["game"].is_number_unsigned() ||
        !body.contains("reason") || !body["reason"].is_string())
      return to(mistake(400, "game and reason are needed"));
    const game_id game{body["game"].get<std::uint64_t>()};
    return end_here(game, body["reason"].get<std::string>(), [to](bool runs) {
      to(runs ? admin::command_answer{202, "{}"} : mistake(404, "no such game runs here"));
    });
  }
  if (what.target.starts_with(arena_path) && !admin::is_command(what.target)) {
    auto said = admin::arena_page(league_, what.method, what.target, base::wall_now());
    return to({said.status, std::move(said.body)});
  }
  if (!admin::is_command(what.target)) return to(mistake(404, "this hub does not know the order"));
  const auto read = admin::read_command(what.method, what.target, what.body);
  if (const auto* wrong = std::get_if<admin::command_mistake>(&read))
    return to(mistake(wrong->status, wrong->sentence));
  const auto& c = std::get<admin::operator_command>(read);
  if (c.what == command_verb::list_orders) return orders_here_(to);
  if (!concerns_all_hubs(c.what) && c.what != command_verb::forget_bots)
    return to(mistake(404, "the order is not for all hubs"));
  carry_out_here(c, true, to);
}

void admin_commands::list_orders(const admin::command_answer& own, const done& to) {
  orders_->ask({0, "POST", "/orders", ""}, [this, own, to](auto others) {
    others.insert(others.begin(), {orders_->self(), own});
    to(admin::merge_orders(others));
  });
}

bool admin_commands::arena_is_elsewhere() const {
  return orders_ != nullptr && orders_->league().has_value();
}

void admin_commands::ask_league(relay::order what, const done& to) {
  const auto there = orders_->league();
  // The hub that had it has ended since.
  if (!there) return to(no_arena());
  orders_->ask(*there, std::move(what), [to](const auto& said) { to(said ? *said : no_arena()); });
}

void admin_commands::ask_arena(const admin::league_request& what,
                               const std::function<void(admin::page)>& to) {
  ask_league({0, what.method, what.target, ""}, [to](const admin::command_answer& said) {
    const bool is_object = said.json.starts_with('{');
    to({said.status, is_object ? "application/json" : "text/plain; charset=utf-8", said.json});
  });
}

void admin_commands::end_game(game_id game, const std::string& reason, const ended& to) {
  end_here(game, reason, [this, game, reason, to](bool runs) {
    if (runs || orders_ == nullptr) return to(runs);
    const json body{{"game", game.value}, {"reason", reason}};
    orders_->ask({0, "POST", std::string{end_path}, body.dump()}, [to](const auto& others) {
      bool found = false, all_said = true;
      for (const auto& each : others) {
        all_said = all_said && each.said;
        found = found || (each.said && each.said->status == 202);
      }
      to(found || all_said ? std::optional{found} : std::nullopt);
    });
  });
}

void admin_commands::end_here(game_id game, const std::string& reason,
                              const std::function<void(bool)>& to) {
  runtime_.end_game(game, reason, [game, reason, to](bool runs) {
    if (runs)
      base::log::info("an operator ends a game", {{"game", game.value}, {"reason", reason}});
    else
      base::log::info("an operator wants to end a game that does not run here",
                      {{"game", game.value}});
    to(runs);
  });
}

void admin_commands::carry_out_here(const admin::operator_command& c, bool only_open,
                                    const done& to) {
  switch (c.what) {
    case command_verb::list_games: return list_games(c, only_open, to);
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

void admin_commands::list_games(const admin::operator_command& c, bool only_open, const done& to) {
  list_query query;
  query.engine = c.engine;
  query.status = status_of(c.status);
  query.before = c.before;
  query.limit = c.limit;
  query.open = only_open;
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
