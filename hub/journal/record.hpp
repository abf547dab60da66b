// The log of a game: a header, then numbered records. Replaying the records through the engine
// restores the game. Plain values; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::journal {

struct game_header {
  game_id id;
  std::string engine;
  std::string engine_version;
  std::string options;  // JSON; empty: the engine's defaults
  base::wall_time opened{};
};

// Numbers the records of one game, from 1, without gaps.
using record_number = std::uint64_t;

struct record {
  enum class kind : std::uint8_t {
    opened,  // the game exists; `action` is 1 if only invited players may join
    joined,  // the player with the id `action` takes `seat` under the name `text`; id 0: an engine
    moved,   // `seat` took `action`
    drawn,   // chance took `action`
    ended,   // for `why`; `seat` won, or -1; the scores follow from the rules or the winner
    said,    // the player at `seat` sent the chat message `text`
    left,    // the player at `seat` left, so that the others win; `ended` follows
  };

  record_number number = 0;
  base::wall_time at{};
  std::int64_t action = 0;
  std::string text;    // ended: the operator's reason, if an operator ended the game
  std::string secret;  // joined: digest of the player's resume token; empty: it has none
  std::string wire;    // joined: the wire of the player; engine:LEVEL is an engine opponent
  // opened, moved and drawn: the engine's hash of the match after the record. Replays check it.
  std::uint64_t state = 0;
  std::int16_t seat = -1;
  kind what = kind::opened;
  end_reason why = end_reason::rules;
  // The engine hides the action from other players. The public form has the number alone.
  bool hidden = false;
};

struct game_log {
  game_header header;
  std::vector<record> records;
};

// Returns the digest of a resume token that the journal stores. A reader of the journal can't
// resume a player with it.
std::string digest_of(const std::string& secret);

}  // namespace gamehub::journal
