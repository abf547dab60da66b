// Bots of the league: registration, state and errors. Plain values; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::league {

using bot_id = id<struct bot_tag>;

// The registration request of a bot. Requires: the engine is known, and the texts are UTF-8 within
// their limits; the gateway checks both.
struct registration {
  std::string token;
  std::string name;
  std::string version;
  std::string engine;    // its id
  std::string endpoint;  // the URL by which the hub calls it
  std::string language, website, description;
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

struct bot {
  bot_id id;
  // Counts its registrations, from 1. Reports about an earlier one are ignored.
  std::uint64_t registration = 0;
  std::string name;  // unique
  std::string owner;
  std::string version;
  std::string engine;
  std::string endpoint;
  std::string language, website, description;
  // The resume token of its session, so that its player resumes after a restart of the hub.
  std::string secret;
  bot_state state = bot_state::registered;
  base::wall_time registered_at{};
};

// One registration of one bot.
struct bot_ref {
  bot_id id;
  std::uint64_t registration = 0;
};

// Returns the reference to the present registration.
inline bot_ref ref_to(const bot& b) { return {b.id, b.registration}; }

// An error of a bot.
struct fault {
  int code = 0;      // the code in the error call to the bot: 1548 and above
  std::string text;  // a sentence
  game_id game;      // zero: outside any game
};

// The code for "the bot ran out of time".
inline constexpr int timeout_code = 1551;

struct failure {
  bot_id who;
  fault what;
  base::wall_time at{};
};

}  // namespace gamehub::league
