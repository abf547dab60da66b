// Where gateways and actors meet. A gateway turns a connection into an attachment and asks the
// reception for a door; from then on intents go in by the door and events come out by the
// attachment. Neither side includes the other.
//
// All calls about one attachment happen on the thread of its loop. The hub shares the
// attachment for as long as it may have something to tell; the gateway alone owns the door.
#pragma once

#include <memory>

#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

namespace gamehub {

// The way into the hub for one attachment. Destroying it detaches.
class session_handle {
 public:
  virtual ~session_handle() = default;

  // Requires: receipt.from is this attachment, its ticket is not zero and new.
  virtual void submit(envelope) = 0;
};

// The way to one client: implemented by connections, streams, datagram peers and callers of
// bots. Calls after the client has gone do nothing.
class attachment {
 public:
  virtual ~attachment() = default;

  virtual attachment_id id() const = 0;
  virtual void deliver(const event&) = 0;

  // The hub has nothing more for this client. The attachment says so in its protocol.
  virtual void close(close_reason) = 0;

  // From now on intents go in by this door. The former one is destroyed, which detaches from there.
  virtual void set_session(std::unique_ptr<session_handle>) = 0;
};

// Makes doors: one reception per wire and loop. Null when the hub takes nobody; the gateway
// then says close_reason::hub_full or draining, as `why` tells.
class session_acceptor {
 public:
  virtual ~session_acceptor() = default;
  virtual std::unique_ptr<session_handle> admit(std::shared_ptr<attachment>, close_reason& why) = 0;
};

}  // namespace gamehub
