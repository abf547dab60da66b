// The proxies of far games and far sessions: to other actors of their hub they are a game and a
// session. Beyond these interfaces they get the messages below, from the switchboard.
#pragma once

#include "actors/runtime/interfaces.hpp"
#include "hub/far/messages.hpp"

namespace gamehub::actors::far {

using gamehub::far::member_id;
using gamehub::far::place;

// A message of another hub for this seat.
struct arrived {
  member_id from;
  gamehub::far::message what;
};

// To a far game: its host does not run it any more, or another hub continues it.
struct host_lost {
  member_id host;
};
struct host_is {
  member_id host;
};
// To a far game: it may ask for the seat now.
struct take_turn {};

// To a far session: its front is gone; another front has the seat; its game goes on elsewhere.
struct front_lost {};
struct replaced {};
struct game_moved {
  member_id to;
};

// A game of another hub. A session of this hub has its handle.
using far_game_actor =
    runtime::game_actor::extend<caf::result<void>(arrived), caf::result<void>(host_lost),
                                caf::result<void>(host_is), caf::result<void>(take_turn)>;

// A session of another hub. A game of this hub has its handle.
using far_session_actor =
    runtime::session_actor::extend<caf::result<void>(arrived), caf::result<void>(front_lost),
                                   caf::result<void>(replaced), caf::result<void>(game_moved)>;

}  // namespace gamehub::actors::far

CAF_BEGIN_TYPE_ID_BLOCK(gamehub_far, caf::id_block::gamehub::end)
CAF_ADD_TYPE_ID(gamehub_far, (gamehub::actors::far::arrived))
CAF_ADD_TYPE_ID(gamehub_far, (gamehub::actors::far::host_lost))
CAF_ADD_TYPE_ID(gamehub_far, (gamehub::actors::far::host_is))
CAF_ADD_TYPE_ID(gamehub_far, (gamehub::actors::far::take_turn))
CAF_ADD_TYPE_ID(gamehub_far, (gamehub::actors::far::front_lost))
CAF_ADD_TYPE_ID(gamehub_far, (gamehub::actors::far::replaced))
CAF_ADD_TYPE_ID(gamehub_far, (gamehub::actors::far::game_moved))
CAF_END_TYPE_ID_BLOCK(gamehub_far)

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::far::arrived)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::far::host_lost)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::far::host_is)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::far::take_turn)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::far::front_lost)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::far::replaced)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::far::game_moved)
