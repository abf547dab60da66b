// An actor that can receive an event without a message: a session, from a game of its loop. Called
// on the loop of the game.
#pragma once

#include "hub/core/event.hpp"

namespace gamehub::actors::runtime {

class event_receiver {
 public:
  virtual ~event_receiver() = default;

  // Handles the event at once, as if its message had just been received. Returns false, and leaves
  // the event unchanged, if it must be sent as a message: the actor runs on another loop, or has
  // messages that come first.
  virtual bool try_receive(event&) = 0;
};

}  // namespace gamehub::actors::runtime
