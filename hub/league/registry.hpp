// Who registered: bots by name, and whose they are. A plain value; its owner sees to threads.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hub/arena/bot.hpp"
#include "hub/core/entropy.hpp"

namespace gamehub::arena {

// Names that were ever registered, in one hub.
inline constexpr std::size_t bots_max = 4'096;
// Of them, those that are online at once: each is paired with every other one.
inline constexpr std::size_t bots_online_max = 512;

class registry {
 public:
  void load(const std::vector<bot>&, const std::vector<failure>&);

  // The bot as it is from now on, or why not: the name is another owner's, or there is no room.
  std::variant<bot, std::string> add(const registration&, const std::string& owner, wall_time now,
                                     random_source&);

  // All return null, or false, where that is no news, or about an earlier registration.
  const bot* came_online(const bot_ref&);
  const bot* went_wrong(const bot_ref&);
  bool note(const bot_ref&, const failure&);

  const bot* find(bot_id) const;
  const bot* find(std::string_view name) const;
  std::vector<failure> failures_of(bot_id) const;
  // Whether it failed in that game, and by which code.
  std::optional<int> failed_in(bot_id, game_id) const;

  void for_each(const std::function<void(const bot&)>&) const;
  std::array<std::size_t, bot_state_count> count() const;

 private:
  bot* current(const bot_ref&);

  std::map<bot_id, bot> bots_;
  std::map<std::string, bot_id, std::less<>> by_name_;
  std::map<bot_id, std::deque<failure>> failures_;
};

}  // namespace gamehub::arena
