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
    opened,  // the game exists
    joined,  // `seat` is taken by the player named `text`
    moved,   // `seat` took `action`
    drawn,   // chance took `action`
    ended,   // for `why`; `seat` won, or -1; the scores follow from the rules or from the winner
  };

  record_number number = 0;
  wall_time at{};
  std::int64_t action = 0;
  std::string text;
  std::int16_t seat = -1;
  kind what = kind::opened;
  end_reason why = end_reason::rules;
  // What the engine keeps from others for now. Its public form is its number alone.
  bool hidden = false;
};

}  // namespace gamehub::journal
