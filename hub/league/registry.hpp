// The registered bots, by id and name, with their owners, states and errors. A plain value; the
// league locks it.
#pragma once

#include "hub/base/random.hpp"
#include "hub/league/failure.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::league {

// Bots that one hub stores; bounds its memory and the pages of bots.
inline constexpr std::size_t bots_max = 4'096;
// Bots that are online at the same time: each is paired with every other one.
inline constexpr std::size_t bots_online_max = 512;
// One account brings no more bots online than an eighth of the places that others have not taken,
// and one in any case: accounts that take all they may leave room for the bots of a new one.
inline constexpr std::size_t online_share = 8;
// In an empty hub one account has room for all of its names.
static_assert(online_share * limits::bot_names_per_owner_max <= bots_online_max);

// How long the name of a bot that never answered a call stays reserved after its registration.
inline constexpr std::chrono::hours unanswered_kept{24};

class registry {
 public:
  // One account has at most `names_max` bots.
  explicit registry(std::uint32_t names_max = limits::bot_names_per_owner_default)
      : names_max_(names_max) {}

  // Loads the stored bots. Bots that were online become `resuming`. `last` is the greatest id ever
  // used.
  void load(const std::vector<bot_record>&, const std::vector<failure>&, bot_id last);

  // Registers a bot. It is refused if the name, or one that looks like it, belongs to another
  // owner, if the account has all bots that it may have or its share of those that are online, or
  // if the hub is full.
  std::variant<bot_record, registration_refusal> add(const bot_profile&, const bot_owner&,
                                                     base::wall_time now, base::random_source&);

  // Removes bots, and frees their names.
  void remove(const std::set<bot_id>&);
  // Returns the bots that never answered a call, have failed, and registered too long ago.
  std::set<bot_id> unanswered(base::wall_time now) const;
  // Returns the bot that makes room in a full registry: the oldest that never answered a call and
  // has failed, of the account that has most of them. None: there is no such bot.
  std::optional<bot_id> replaceable() const;

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
  std::optional<registration_refusal> check_name(const bot_profile&, const bot_owner&,
                                                 const bot_record* before) const;
  std::optional<registration_refusal> check_limits(const bot_owner&,
                                                   const bot_record* before) const;
  void index(const bot_record&);

  std::map<bot_id, bot_record> bots_;
  std::map<std::string, bot_id, std::less<>> by_name_;
  std::map<std::string, bot_id, std::less<>> by_look_;  // by the keys of names
  std::map<bot_id, std::deque<failure>> failures_;
  std::uint32_t names_max_;
  std::uint64_t last_ = 0;
};

}  // namespace gamehub::league
