#include "hub/app/arena_settings.hpp"

#include <string_view>

#include "hub/core/limits.hpp"

namespace gamehub::app {

void add_arena(maker& to, const settings& defaults) {
  to.group("Bots");
  to.text(
      "arena", "memory|PATH",
      "where bots, their tokens, schedule and ratings are kept; the default: the journal's path "
      "with .arena after it, or memory where the journal is there",
      "", "memory or the path of a file", [](settings& s, std::string_view text) {
        s.arena_in_memory = text == "memory";
        s.arena_file = s.arena_in_memory ? std::string_view{} : text;
        return true;
      });
  to.time(
      "arena-repeat", "until two versions of bots that have played are paired again",
      defaults.arena_repeat, limits::arena_repeat_max,
      [](settings & s) -> auto& { return s.arena_repeat; });
  to.number<std::uint32_t>(
      "arena-games-per-bot", "scheduled games that a bot plays at once",
      defaults.arena_games_per_bot, 1, limits::arena_games_per_bot_max,
      [](settings & s) -> auto& { return s.arena_games_per_bot; });
  to.flag(
      "open-registration", "take bots with any token: for a hub that strangers can't reach",
      [](settings & s) -> auto& { return s.open_registration; });
}

}  // namespace gamehub::app
