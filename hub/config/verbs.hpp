// The verbs of the program gamehub, in the order of its help. Constants; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace gamehub::config {

// Which part of the programs carries a verb out.
enum class verb_group : std::uint8_t {
  serve,    // the hub itself
  journal,  // reads and maintains the log of games
  league,   // bots: tokens, tournaments, ratings
  operate,  // a request to a running hub
  tools,    // the program gamehub-tools
};

struct verb {
  std::string_view name;
  std::string_view help;
  verb_group group;
};

inline constexpr verb verbs[] = {
    {"serve", "hosts games until SIGTERM or SIGINT", verb_group::serve},
    {"engines", "lists the engines and the protocols that can play them", verb_group::serve},
    {"journal", "exports, copies and cleans the log of games", verb_group::journal},
    {"verify", "replays logged games and reports differences", verb_group::journal},
    {"status", "prints the state of a running hub", verb_group::operate},
    {"drain", "stops a running hub after its games", verb_group::operate},
    {"healthcheck", "checks that a running hub is healthy", verb_group::operate},
    {"token", "creates, lists and revokes tokens of bot owners", verb_group::league},
    {"arena", "runs tournaments of bots and prints ratings", verb_group::league},
    {"games", "lists the games of a running hub", verb_group::operate},
    {"end", "ends a game without a result", verb_group::operate},
    {"ban", "bans a player or an address", verb_group::operate},
    {"unban", "lifts a ban", verb_group::operate},
    {"sanctions", "lists bans and mutes", verb_group::operate},
    {"mute", "mutes a player: chat messages are refused", verb_group::operate},
    {"unmute", "lets a muted player chat again", verb_group::operate},
    {"say", "sends a message to all HTTP players", verb_group::operate},
    {"bench", "plays many games on a running hub and measures it", verb_group::tools},
    {"udp-lab", "UDP proxy that drops, delays, duplicates and reorders datagrams",
     verb_group::tools},
    {"engine", "creates the project of an engine (new), or checks an engine (check)",
     verb_group::tools},
    {"bot", "calls a bot as the hub does and reports its errors (check)", verb_group::tools},
};

// Null if there is no such verb.
inline const verb* find_verb(std::string_view name) {
  const auto* found = std::find_if(std::begin(verbs), std::end(verbs),
                                   [=](const verb& each) { return each.name == name; });
  return found == std::end(verbs) ? nullptr : found;
}

}  // namespace gamehub::config
