// Plays logged games again, with the versions of engines that they were played with, and compares
// every state with the one that was logged. On one thread.
#pragma once

#include "engines/host/registry.hpp"
#include "hub/journal/archive.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gamehub::admin {

// Something that is not as it must be.
struct difference {
  game_id game;                       // zero: the journal as a whole
  journal::record_number record = 0;  // zero: the game as a whole
  std::string what;                   // a verb and what follows, such as "is refused by the engine"
};

// "game 17, record 5: …"
std::string in_words(const difference&);

struct verification {
  std::uint64_t games = 0, records = 0, moves = 0;  // that were played again
  std::uint64_t differences = 0;
  std::uint64_t in_quarantine = 0;               // and not asked for by number: not played
  std::map<std::string, std::uint64_t> skipped;  // games, by "engine version" that is not here
  std::vector<game_id> missing;                  // asked for, and not there
};

// `found` hears of each difference as it is found, `progress` of how many games were looked at, now
// and then. Games in quarantine may bring the program down: they are played if they are asked for.
verification verify(journal::archive&, std::span<const game_id>, const engines::host::registry&,
                    const std::function<void(const difference&)>& found,
                    const std::function<void(std::uint64_t games)>& progress);

// For people, and as one JSON object; the differences are those that were kept to be shown.
std::string summary_text(const verification&, std::chrono::duration<double> time);
std::string summary_json(const verification&, std::chrono::duration<double> time,
                         std::span<const difference>);

}  // namespace gamehub::admin
