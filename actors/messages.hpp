// The values that actors send each other, beyond the hub's own vocabulary. They stay within the
// process: none of them is ever serialised.
#pragma once

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

class loop;

// To a session.

// The attachment is gone: its client left, or the gateway gave it up.
struct detached {
  attachment_id from;
};

// A client that proved to be this session's player has come on another attachment, which lives on
// `home`. Answers the sign_in of `answers`.
struct attach_client {
  std::shared_ptr<attachment> client;
  loop* home = nullptr;
  receipt answers;
};

// The lobby's answer to enter: the name this player has from now on.
struct named {
  std::string name;
  receipt answers;
};

// The lobby's answer to resume: nobody has that secret.
struct not_resumed {
  std::string name;  // that was asked for
  receipt answers;
};

// The lobby's answer to a seek. Refused where `why` is set.
struct seek_answer {
  placed place;
  std::optional<refusal> why;
  std::string detail;
  receipt answers;
};

// The lobby's answer to gone: whatever seats it had given, it gave them before.
struct forgotten {};

// The hub goes down: leave as soon as no game runs any more.
struct drain {};

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

// The seat's player is back on another attachment and has to be shown the game.
struct show_request {
  seat_index seat = 0;
};

struct end_request {
  end_reason why = end_reason::operator_;
};

struct log_committed {
  journal::record_number number = 0;
};

}  // namespace gamehub::actors
