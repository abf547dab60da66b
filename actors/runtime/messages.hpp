// The values that actors send each other, beyond the hub's own vocabulary. They stay within the
// process: none of them is ever serialised.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/ports.hpp"
#include "hub/core/wire.hpp"
#include "hub/journal/record.hpp"

namespace gamehub::actors {

class line;
class snapshot_query;
class loop;

// To a session.

// The attachment is gone: its client left, or the gateway gave it up.
struct detached {
  attachment_id from;
};

// A client that proved by `secret` to be this session's player has come by `wire` on another
// attachment, which lives on `home`. Answers the sign_in of `answers`.
struct attach_client {
  std::shared_ptr<attachment> client;
  loop* home = nullptr;
  std::uint16_t wire = 0;
  std::string secret;
  receipt answers;
};

// The lobby's answer to enter: the name this player has from now on. Refused where `why` is set.
struct named {
  std::string name;
  std::optional<refusal> why;
  receipt answers;
};

// The lobby's answer to resume: nobody has that secret.
struct not_resumed {
  std::string name;  // that was asked for
  bool exact = false;
  receipt answers;
};

// The lobby's answer to a seek. Refused where `why` is set.
struct seek_answer {
  placed place;
  game_id game;  // where the wire had to be told at once
  std::optional<refusal> why;
  std::string detail;
  receipt answers;
};

// The lobby's answer to gone: whatever seats it had given, it gave them before.
struct forgotten {};

// The operator keeps this player out.
struct expel {};

// The hub goes down: leave as soon as no game runs any more.
struct drain {};

// The game goes on when the hub is up again. Nothing more comes from it.
struct parked {
  game_id game;
};

// A timer of the receiver's own. `number` tells which one, so that a late one is harmless.
struct timer_up {
  std::uint64_t number = 0;
};

// To a game.

struct begin_game {};

struct play_request {
  seat_index seat = 0;
  gamehub::receipt receipt;
  move what;
};

// The seat's player leaves; or has gone, if no receipt. After the end it is how a session says
// that it will ask nothing more.
struct leave_request {
  seat_index seat = 0;
  gamehub::receipt receipt;
};

struct chat_request {
  seat_index seat = 0;
  gamehub::receipt receipt;
  std::string text;
};

// The seat's player is back on another attachment, which wants this form, and has to be shown the
// game.
struct show_request {
  seat_index seat = 0;
  view_form form = view_form::cells;
};

struct end_request {
  end_reason why = end_reason::operator_;
  std::string note;  // for the log
};

// The hub goes down: a game that all its players can come back to rests until it is up again.
struct park {};

// Somebody watches the game, or looks at it once.
struct watch_request {
  std::shared_ptr<line> by;
};
struct look_request {
  std::shared_ptr<snapshot_query> by;
};

struct log_committed {
  journal::record_number number = 0;
};

// What the house thought of for a seat at the turn with that number, which may be over by now.
struct search_result {
  seat_index seat = 0;
  std::uint64_t turn = 0;
  std::optional<std::int64_t> what;  // an action; none: the engine failed
  std::chrono::nanoseconds took{};
  bool hurried = false;  // had less time than it should
};

}  // namespace gamehub::actors
