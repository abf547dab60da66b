// The messages between a player's session and its game when they are at different hubs of a
// cluster: the front has the session, the host has the game. A closed set; all other messages stay
// inside a process. Each belongs to one seat. Plain values; any thread.
#pragma once

#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/wire.hpp"
#include "hub/journal/member_id.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace gamehub::far {

using journal::member_id;

// A seat of a game, of which each message says to which it belongs.
struct place {
  game_id game;
  seat_index seat = 0;

  friend auto operator<=>(const place&, const place&) = default;
};

// Where an intent comes from: with the member that sends it, its name in the whole cluster.
struct origin {
  attachment_id from;
  gamehub::ticket ticket = 0;
  trace_id trace;
};

// What a player does in a game. `game` of each is that of the place.
using game_intent = std::variant<play, leave, chat, offer, claim>;

// From the front to the host.

// An intent of the player. The answer is a `told` with the origin.
struct request {
  place at;
  origin from;
  game_intent what;
};

// As runtime::resend_request: the game sends `started` and its position again. Without a client it
// is for the front itself, whose client has seen the game.
struct resend {
  place at;
  view_form form = view_form::cells;
  client_features features = {};
  attachment_id client = {};
};

// As runtime::seat_presence.
struct presence {
  place at;
  std::optional<base::instant> kept_until;
};

// The player has another name.
struct rename {
  place at;
  std::string name;
};

// The player leaves for good, or has seen the end of the game: the front sends nothing more.
struct give_up {
  place at;
  leave_cause why = leave_cause::quit;
};

// To the hub that continues the game of one that is gone: the front has this player, and goes on
// there. The answer is `taken` with the same attempt.
struct take {
  place at;
  player_id player;
  std::uint64_t attempt = 0;
  std::uint64_t after = 0;  // counts what the log has after this record
  std::string name;         // of the player, if it has changed; empty: not
};

// From the host to the front.

// An event of the game, for the player of the seat.
struct told {
  place at;
  event what;
};

// The player has a seat in a game of the host. Events of the game follow it.
struct seated {
  place at;
  player_id player;
  std::string engine, version;
  bool restored = false;  // the game sends its position on request
  // As the game has them for the seat.
  view_form form = view_form::cells;
  client_features features = {};
};

// The game is suspended until a hub continues it. The host sends nothing more of it.
struct suspended {
  place at;
};

// The game goes on at another member.
struct moved {
  place at;
  member_id to;
};

// Events that could not be sent are lost. `started` and the position, for no client, follow.
struct gap {
  place at;
};

// How often each kind of intent of one seat was carried out, by the log.
struct tally {
  std::uint32_t plays = 0, chats = 0, offers = 0;

  friend bool operator==(const tally&, const tally&) = default;
};

// The answer to `take`.
struct taken {
  place at;
  std::uint64_t attempt = 0;
  bool here = false;       // false: the host has not, or not yet, that game with that player
  std::uint64_t last = 0;  // the last record of the log; `since` counts up to it
  tally since;
};

using message = std::variant<request, resend, presence, rename, give_up, take, told, seated,
                             suspended, moved, gap, taken>;

// True for what a front sends, false for what a host sends.
constexpr bool is_for_game(const message& m) { return m.index() < 6; }
inline place place_of(const message& m) {
  return std::visit([](const auto& each) { return each.at; }, m);
}

}  // namespace gamehub::far

template <>
struct std::hash<gamehub::far::place> {
  std::size_t operator()(const gamehub::far::place& p) const noexcept {
    return std::hash<std::uint64_t>{}(p.game.value * 64 + static_cast<std::uint64_t>(p.seat));
  }
};
