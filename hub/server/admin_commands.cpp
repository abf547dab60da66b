#include "hub/app/moderation/desk.hpp"

#include <boost/asio/post.hpp>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "hub/app/log.hpp"

namespace gamehub::app {
namespace {

using nlohmann::json;
using kind = sanction::kind;
using verb = operator_command::verb;

std::string utc_now() {
  const auto now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char out[32];
  return {out, std::strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

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

command_answer answer_of(const game_page& page) {
  auto games = json::array();
  for (const auto& each : page.games) {
    const auto& card = *each.progress.game;
    games.push_back({{"game", card.id.value},
                     {"engine", card.engine},
                     {"status", status_text(each.progress.status)},
                     {"players", card.players},
                     {"updates", each.progress.last}});
  }
  const auto next = page.next ? json(page.next.value) : json(nullptr);
  return {200, json{{"games", games}, {"next", next}}.dump()};
}

command_answer mistake(int status, const std::string& sentence) {
  return {status, json{{"error", sentence}}.dump()};
}

kind kind_of(const operator_command& c) {
  if (c.what == verb::mute || c.what == verb::unmute) return kind::muted_name;
  return c.name.empty() ? kind::banned_address : kind::banned_name;
}

// Empty: an address that is none.
std::string target_of(const operator_command& c) {
  return c.name.empty() ? network_text(c.address) : c.name;
}

command_answer no_address() {
  return mistake(400, "address has to be one, or a network such as 192.0.2.0/24");
}

}  // namespace

void admin_commands::carry_out(const operator_command& c, const done& to) {
  switch (c.what) {
    case verb::list_games: return list_games(c, to);
    case verb::list_sanctions: return to({200, to_json(sanctions_.all())});
    case verb::ban:
    case verb::mute: return to(impose(c, kind_of(c)));
    case verb::unban:
    case verb::unmute: return to(lift(c, kind_of(c)));
    case verb::say: return to(say(c));
  }
}

void admin_commands::list_games(const operator_command& c, const done& to) {
  list_query query;
  query.engine = c.engine;
  query.status = status_of(c.status);
  query.before = c.before;
  query.limit = c.limit;
  boost::asio::post(loops_.io(0).io(), [this, query, to] {
    runtime_.spectators_for(0).list(query, [to](const game_page& page) { to(answer_of(page)); });
  });
}

command_answer admin_commands::impose(const operator_command& c, kind what) {
  const auto whom = target_of(c);
  if (whom.empty()) return no_address();
  try {
    sanctions_.add({what, whom, c.reason, utc_now()});
  } catch (const std::runtime_error& e) {
    return mistake(500, e.what());
  }
  log::info("an operator imposes a sanction",
            {{"kind", to_string(what)}, {"whom", whom}, {"reason", c.reason}});
  put_in_force();
  return {200, json{{"kind", to_string(what)}, {"whom", whom}}.dump()};
}

command_answer admin_commands::lift(const operator_command& c, kind what) {
  const auto whom = target_of(c);
  if (whom.empty()) return no_address();
  try {
    if (!sanctions_.remove(what, whom))
      return mistake(404, "there is no such sanction: POST /sanctions lists them");
  } catch (const std::runtime_error& e) {
    return mistake(500, e.what());
  }
  log::info("an operator lifts a sanction", {{"kind", to_string(what)}, {"whom", whom}});
  return {200, json{{"kind", to_string(what)}, {"whom", whom}}.dump()};
}

command_answer admin_commands::say(const operator_command& c) {
  log::info("an operator speaks to everybody", {{"text", c.text}});
  doors_.announce(c.text);
  return {200, json{{"said", c.text}}.dump()};
}

void admin_commands::put_in_force() {
  runtime_.bans_changed();
  doors_.close_banned();
}

}  // namespace gamehub::app
