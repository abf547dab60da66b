#include "hub/config/bot_settings.hpp"

#include "hub/base/address.hpp"
#include "hub/core/bot_record.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::config {

void add_bots(maker& to, const settings& defaults) {
  to.group("Bots");
  to.text("bot-allow", "NETWORK[,NETWORK...]",
          "loopback, private or other special addresses at which bots may be called; may be given "
          "several times",
          "", "addresses or networks, such as 127.0.0.0/8, separated by commas",
          [](settings& s, std::string_view text) {
            return take_list(s.bot_allow, text, [](std::string_view each) {
              return base::read_network(each).has_value();
            });
          });
  to.may_repeat();
  to.number<std::int64_t>(
      "bot-move-seconds", "time of a bot for an answer", defaults.bot_move_seconds,
      limits::bot_move_min.count(), limits::bot_move_max.count(),
      [](settings & s) -> auto& { return s.bot_move_seconds; });
  to.number<std::uint32_t>(
      "bot-games", "concurrent games of one bot, also those against people", defaults.bot_games, 1,
      limits::bot_games_max, [](settings & s) -> auto& { return s.bot_games; });
  const auto names = [&to](std::string name, std::string help,
                           std::vector<std::string> settings::*in) {
    to.text(std::move(name), "BOT[,BOT...]", help + "; may be given several times", "",
            "names of bots, separated by commas", [in](settings& s, std::string_view text) {
              return take_list(s.*in, text, acceptable_bot_name);
            });
    to.may_repeat();
  };
  names("bot-keep-alive", "bots that are called over one connection while they keep it open",
        &settings::bot_keep_alive);
  names("bot-tell-opponent", "bots whose NextMove calls name the opponent, as \"opponent\"",
        &settings::bot_tell_opponent);
}

}  // namespace gamehub::config
