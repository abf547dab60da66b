// The log of a game: what it is played with, then numbered records. A game is its log: replaying
// the records through the engine gives the game as it was. Plain values, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"
#include "hub/core/time.hpp"

namespace gamehub::journal {

struct game_header {
  game_id id;
  std::string engine;
  std::string engine_version;
  std::string options;  // JSON; empty: the engine's defaults
  wall_time opened{};
};

// Numbers the records of one game, from 1, without gaps.
using record_number = std::uint64_t;

struct record {
  enum class kind : std::uint8_t {
    opened,  // the game exists; `action` is 1 where it is closed to all but invited players
    joined,  // `seat` is taken by the player with the number `action`, or 0: the house, named
             // `text`
    moved,   // `seat` took `action`
    drawn,   // chance took `action`
    ended,   // for `why`; `seat` won, or -1; the scores follow from the rules or from the winner
    said,    // the player at `seat` said `text`
    left,    // the player at `seat` left, so that the others win; the end follows
  };

  record_number number = 0;
  wall_time at{};
  std::int64_t action = 0;
  std::string text;    // also: ended by an operator, in whose words
  std::string secret;  // joined: the digest of what brings the player back; empty: nothing does
  std::string wire;    // joined: by which the player came; engine:LEVEL is the house
  // opened, moved and drawn: the engine's hash of the match after it, by which a replay is checked.
  std::uint64_t state = 0;
  std::int16_t seat = -1;
  kind what = kind::opened;
  end_reason why = end_reason::rules;
  // What the engine keeps from others for now. Its public form is its number alone.
  bool hidden = false;
};

struct game_log {
  game_header header;
  std::vector<record> records;
};

// What the journal keeps of a secret, so that whoever reads it can't take a player's place.
std::string digest_of(const std::string& secret);

}  // namespace gamehub::journal
