#include "tools/bot/verb.hpp"

#include "engines/abi.h"
#include "hub/plugins/plugin_set.hpp"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>

namespace gamehub::tools::bot {

void add_bot_verbs(config::verb& to, std::function<int(const check_request&)> run) {
  const auto r = std::make_shared<check_request>();
  auto& bot = to.add(config::bot_verb.name, config::bot_verb.help);
  auto& check = bot.add("check", "Calls a bot as a hub does and reports its errors.");
  check.text("URL", "", "the URL of the bot, such as http://127.0.0.1:8000/rpc", r->url).required =
      true;
  check.engine("engine", "engine that the bot plays", r->engine);
  check.number("players", "number of players of its games; 0: as many as by default", r->players, 0,
               GAMEHUB_SEATS_MAX);
  check.path("plugins", "DIR", "folder with more engines", r->plugins);
  check.flag("keep-alive", "reuse the connection, as a hub with --bot-keep-alive does",
             r->keep_alive);
  check.text("opponent", "NAME",
             "name this opponent in calls, as a hub with --bot-tell-opponent does", r->opponent);
  check.text("signing-secret", "SECRET", "sign calls, as for a registration with this secret",
             r->signing_secret);
  check.time("seconds", "time limit of each call", r->call_time, limits::bot_move_min,
             limits::bot_move_max);
  check.footer =
      "Calls the bot as a hub does: Status.Ping, NextMove on several boards, Complete and Error.\n"
      "Exit code 0: the bot plays correctly. 1: the bot has errors, one line for each.";
  check.run = [r, run = std::move(run)](config::settings&) { return run(*r); };
}

int carry_out(const check_request& request) {
  const plugins::plugin_set all{request.plugins, {}};
  return check(request, all.engines(), std::cout) ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace gamehub::tools::bot
