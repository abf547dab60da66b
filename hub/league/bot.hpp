// Bots as the arena knows them: who registered what, and how it is with them. Plain values, any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hub/core/ids.hpp"
#include "hub/core/time.hpp"

namespace gamehub::arena {

using bot_id = id<struct bot_tag>;

// What a bot says of itself when it registers. Whoever takes it from the wire has made sure that
// the engine is one that the hub has, and that texts are UTF-8 and within their bounds.
struct registration {
  std::string token;
  std::string name;
  std::string version;
  std::string engine;    // its id
  std::string endpoint;  // the URL by which the hub calls it
  std::string language, website, description;
};

enum class bot_state : std::uint8_t {
  registered,  // has not yet answered a call since
  online,
  resuming,  // was online when the hub went down, and has not yet answered a call since
  faulty,    // did something wrong, and is scheduled no more until it registers again
};
inline constexpr int bot_state_count = 4;
std::string_view to_string(bot_state);

struct bot {
  bot_id id;
  // Counts its registrations, from 1. A report about an earlier one changes nothing.
  std::uint64_t registration = 0;
  std::string name;  // nobody else's
  std::string owner;
  std::string version;
  std::string engine;
  std::string endpoint;
  std::string language, website, description;
  // Of its session, so that its player comes back after a restart of the hub.
  std::string secret;
  bot_state state = bot_state::registered;
  wall_time registered_at{};
};

// One registration of one bot.
struct bot_ref {
  bot_id id;
  std::uint64_t registration = 0;
};

inline bot_ref ref_to(const bot& b) { return {b.id, b.registration}; }

// What a bot did wrong.
struct fault {
  int code = 0;      // as it is told in an error call: 1548 and on
  std::string text;  // for people
  game_id game;      // where; zero: outside any game
};

// Tells that its time ran out, among those codes.
inline constexpr int timeout_code = 1551;

struct failure {
  bot_id who;
  fault what;
  wall_time at{};
};

}  // namespace gamehub::arena
