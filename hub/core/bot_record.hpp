// A registered bot: what it is, who owns it, its state, and its errors. The gateway of bots, the
// league and its file share these values. Plain values; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub {

namespace limits {
// Names of bots of one owner: by default, and the most that settings allow.
inline constexpr std::uint32_t bot_names_per_owner_default = 16;
inline constexpr std::uint32_t bot_names_per_owner_max = 64;
}  // namespace limits

using bot_id = id<struct bot_tag>;

// What a bot says about itself. The texts are UTF-8 within their limits; the gateway checks them.
struct bot_profile {
  std::string name;  // unique
  std::string version;
  std::string engine;    // its id
  std::string endpoint;  // the URL by which the hub calls it, as the bot gave it
  std::string language = {}, website = {}, description = {};
  // The hub signs its calls with it; empty: calls are not signed. Never logged or shown.
  std::string signing_secret = {};
};

// Who registers a bot. Limits hold for an account: that of the owner, who has a token of the
// operator, or under open registration that of the sender's address. Empty: no limits.
struct bot_owner {
  std::string name;
  std::string account = {};
};

enum class bot_state : std::uint8_t {
  registered,  // has answered no call since the registration
  online,
  resuming,  // was online when the hub stopped, and has answered no call since
  faulty,    // made an error, and is not scheduled until it registers again
};
inline constexpr int bot_state_count = 4;
// Returns the word of the state, as pages and metrics use it.
std::string_view to_string(bot_state);

// One registration of one bot.
struct bot_ref {
  bot_id id;  // of the bot; never changes
  // Counts its registrations, from 1. Reports about an earlier one are ignored.
  std::uint64_t registration = 0;
};

struct bot_record : bot_ref, bot_profile {
  std::string owner, account = {};  // as in bot_owner
  // The resume token of its session, so that its player resumes after a restart of the hub.
  std::string secret;
  bot_state state = bot_state::registered;
  base::wall_time registered_at{};
  base::wall_time since{};    // the first registration
  bool has_answered = false;  // has answered a call since then
};

// Why a registration is refused, with a sentence for the bot's author.
struct registration_refusal {
  enum class reason : std::uint8_t {
    name_taken,   // it belongs to another owner
    owner_limit,  // the account has all bots that it may have
    online_full,  // as many bots are online as the hub allows, or of the account its share
    hub_full,     // as many bots are registered
  };
  reason why = reason::name_taken;
  std::string text;
};

// The errors of a bot, by the numbers that the protocol sends to it.
enum class bot_error_code : std::uint16_t {
  occupied = 1548,       // the place of its move is taken
  out_of_bounds = 1549,  // the board has no such place
  unparsable = 1550,     // its answer names no place
  timeout = 1551,        // it took too long
  transport = 1552,      // it could not be reached, or did not answer as HTTP servers do
};
// Returns the word of the code, as metrics and logs use it.
std::string_view to_string(bot_error_code);

// An error of a bot.
struct bot_error {
  bot_error_code code = bot_error_code::transport;
  std::string text;     // a sentence for the bot's author
  game_id game = {};    // none: outside of any game
  trace_id trace = {};  // of the call with the wrong reply; none: there was no call
};

}  // namespace gamehub
