// The log of a game: a header, then numbered records. Replaying the records through the engine
// restores the game. Plain values; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::journal {

struct game_header {
  game_id id;
  std::string engine;
  std::string engine_version;
  std::string options;  // JSON; empty: the engine's defaults
  base::wall_time opened{};
};

// Returns how an engine is called where its version matters: "pig 1.0.0".
inline std::string engine_name(std::string_view engine, std::string_view version) {
  return std::string{engine} + " " + std::string{version};
}

// Numbers the records of one game, from 1, without gaps.
using record_number = std::uint64_t;

struct record {
  enum class kind : std::uint8_t {
    // The game exists; `action` is 1 if only invited players may join. `text` is its clock
    // (to_text); empty: a time for each turn, as the hub has it set.
    opened,
    // The player with the id `action` takes `seat` under the name `text`; id 0: an engine. Once
    // more for the same seat, with an empty wire: with a secret the player, which had none, has
    // this
    // one (record format 2); without it the player has another name.
    joined,
    // `seat` took `action`; `text` is what is left to it (player_clocks::stored()), if it has a
    // store of time.
    moved,
    drawn,  // chance took `action`
    ended,  // for `why`; `seat` won, or -1; the scores follow from the rules or the winner
    said,   // the player at `seat` sent the chat message `text`
    left,   // the player at `seat` left, so that the others win; `ended` follows
    // The player at `seat` offered, accepted, declined or withdrew the offer_kind `action`; `text`
    // is the word of the cause, or empty. What all have accepted follows: `ended`, `taken_back`.
    offered,
    accepted,
    declined,
    withdrawn,
    taken_back,  // the records `moved` from the number `action` on are undone, as `seat` asked
    // An engine plays `seat` on, at the level of `wire`, because its player left for the reason
    // `text` (the word of a leave_cause). `action` is 1 if the player may come back.
    substituted,
    returned,  // the player at `seat` plays it again
  };

  record_number number = 0;
  base::wall_time at{};
  std::int64_t action = 0;
  std::string text;    // ended: the operator's reason, if an operator ended the game
  std::string secret;  // joined: digest of the player's resume token; empty: it has none
  std::string wire;    // joined: the wire of the player; engine:LEVEL is an engine opponent.
                       // substituted: engine:LEVEL
  // opened, moved, drawn and taken_back: the engine's hash of the match after the record. Replays
  // check it.
  std::uint64_t state = 0;
  std::int16_t seat = -1;
  kind what = kind::opened;
  end_reason why = end_reason::rules;
  // The engine hides the action from other players. The public form has the number alone.
  bool hidden = false;
};

// True if a turn may begin with such a record: offers, chat messages and names are no part of it.
constexpr bool begins_turn(record::kind k) {
  switch (k) {
    case record::kind::opened:
    case record::kind::moved:
    case record::kind::drawn:
    case record::kind::ended:
    case record::kind::taken_back:
    case record::kind::left:
    case record::kind::substituted: return true;
    case record::kind::joined:
    case record::kind::said:
    case record::kind::offered:
    case record::kind::accepted:
    case record::kind::declined:
    case record::kind::withdrawn:
    case record::kind::returned: return false;
  }
  return false;
}

struct game_log {
  game_header header;
  std::vector<record> records;
};

// Returns the first `joined` record of each seat, with the latest name and secret of its player.
// `former` gets the earlier names.
std::vector<record> seats_of(std::span<const record>,
                             std::vector<std::vector<std::string>>* former = nullptr);

// True if the game is in no list, and others could join it only with its invitation.
// Requires: the log is not empty.
bool is_closed(std::span<const record>);

// Returns the digest of a resume token that the journal stores. A reader of the journal can't
// resume a player with it.
std::string digest_of(const std::string& secret);

}  // namespace gamehub::journal
