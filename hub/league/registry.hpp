// The registered bots, by id and name, with their owners, states and errors. A plain value; the
// league locks it.
#pragma once

#include "hub/base/random.hpp"
#include "hub/league/failure.hpp"

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::league {

// Bots that one hub stores; bounds its memory and the pages of bots.
inline constexpr std::size_t bots_max = 4'096;
// Bots that are online at the same time: each is paired with every other one.
inline constexpr std::size_t bots_online_max = 512;

class registry {
 public:
  // Loads the stored bots. Bots that were online become `resuming`.
  void load(const std::vector<bot_record>&, const std::vector<failure>&);

  // Registers a bot. Returns a sentence if the name, or one that looks like it, belongs to
  // another owner, or if the hub is full.
  std::variant<bot_record, std::string> add(const bot_profile&, const std::string& owner,
                                            base::wall_time now, base::random_source&);

  // Change the state, and store an error. They return null or false if nothing changes, or if the
  // reference is to an earlier registration.
  const bot_record* set_online(const bot_ref&);
  const bot_record* set_faulty(const bot_ref&);
  bool add_failure(const bot_ref&, const failure&);

  // Find a bot, and its latest errors.
  const bot_record* find(bot_id) const;
  const bot_record* find(std::string_view name) const;
  std::vector<failure> failures_of(bot_id) const;
  // Returns the code of the error that a bot made in this game.
  std::optional<bot_error_code> failed_in(bot_id, game_id) const;

  // Iterate over all bots, and count them by state.
  void for_each(const std::function<void(const bot_record&)>&) const;
  std::array<std::size_t, bot_state_count> count() const;

 private:
  bot_record* current(const bot_ref&);
  void index(const bot_record&);

  std::map<bot_id, bot_record> bots_;
  std::map<std::string, bot_id, std::less<>> by_name_;
  std::map<std::string, bot_id, std::less<>> by_look_;  // by the keys of names
  std::map<bot_id, std::deque<failure>> failures_;
};

}  // namespace gamehub::league
