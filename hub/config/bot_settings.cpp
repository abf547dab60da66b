#include "hub/app/bot_settings.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateways/http/address.hpp"
#include "gateways/jsonrpc/jsonrpc_limits.hpp"
#include "gateways/jsonrpc/names.hpp"

namespace gamehub::app {

void add_bots(maker& to, const settings& defaults) {
  to.group("Bots");
  to.text("bot-allow", "NETWORK[,NETWORK...]",
          "addresses at which bots are called although they are loopback, private or otherwise "
          "special; may be given several times",
          "", "addresses or networks, such as 127.0.0.0/8, with commas between them",
          [](settings& s, std::string_view text) {
            return take_list(s.bot_allow, text, [](std::string_view each) {
              return gateways::http::read_network(each).has_value();
            });
          });
  to.may_repeat();
  to.number<std::int64_t>(
      "bot-move-seconds", "for a bot to answer a call", defaults.bot_move_seconds,
      limits::bot_move_min.count(), limits::bot_move_max.count(),
      [](settings & s) -> auto& { return s.bot_move_seconds; });
  to.number<std::uint32_t>(
      "bot-games", "games of one bot at once, people's included", defaults.bot_games, 1,
      limits::bot_games_max, [](settings & s) -> auto& { return s.bot_games; });
  const auto names = [&to](std::string name, std::string help,
                           std::vector<std::string> settings::*in) {
    to.text(std::move(name), "BOT[,BOT...]", help + "; may be given several times", "",
            "names of bots with commas between them", [in](settings& s, std::string_view text) {
              return take_list(s.*in, text, gateways::bots::acceptable_name);
            });
    to.may_repeat();
  };
  names("bot-keep-alive", "bots that are called over one connection as long as they keep it",
        &settings::bot_keep_alive);
  names("bot-tell-opponent", "bots that are told in NextMove who sits opposite, as \"opponent\"",
        &settings::bot_tell_opponent);
}

}  // namespace gamehub::app
