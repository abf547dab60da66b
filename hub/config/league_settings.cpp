#include "hub/config/league_settings.hpp"

#include "hub/core/limits.hpp"

#include <string_view>

namespace gamehub::config {

void add_arena(maker& to, const settings& defaults) {
  to.group("Bots");
  to.text(
      "arena", "memory|PATH",
      "where bots, their tokens, schedule and ratings are stored; the default: the journal's path "
      "with .arena appended, or memory if the journal is in memory",
      "", "memory or the path of a file", [](settings& s, std::string_view text) {
        s.arena_in_memory = text == "memory";
        s.arena_file = s.arena_in_memory ? std::string_view{} : text;
        return true;
      });
  to.time(
      "arena-repeat", "time until two bot versions that have played are paired again",
      defaults.arena_repeat, limits::arena_repeat_max,
      [](settings & s) -> auto& { return s.arena_repeat; });
  to.number<std::uint32_t>(
      "arena-games-per-bot", "concurrent scheduled games of a bot", defaults.arena_games_per_bot, 1,
      limits::arena_games_per_bot_max, [](settings & s) -> auto& { return s.arena_games_per_bot; });
  to.flag(
      "open-registration", "accept bots with any token: for a hub that strangers can't reach",
      [](settings & s) -> auto& { return s.open_registration; });
}

}  // namespace gamehub::config
