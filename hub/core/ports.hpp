// The interface between gateways and actors. A gateway makes an attachment for a connection and
// gets a session handle from the session acceptor. From then on it submits intents to the handle,
// and the hub delivers events to the attachment. Neither side includes the other.
//
// All calls about one attachment happen on the thread of its loop. The hub shares the attachment
// while it may have events for it; the gateway alone owns the session handle.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace gamehub {

// The session of one attachment. Destroying it detaches.
class session_handle {
 public:
  virtual ~session_handle() = default;

  // Sends an intent to the session. Requires: receipt.from is this attachment; its ticket is new
  // and not zero.
  virtual void submit(envelope) = 0;

  // Of a client that comes and goes while it is attached: it is not there, and its seats are kept
  // until then (base::instant::max(): without a limit); none: it is there.
  virtual void set_away(std::optional<base::instant> /*kept_until*/) {}

  // Called before the handle is destroyed: the way to the client has ended, which may come back by
  // another one. Its seats are kept for limits::return_time_max at least.
  virtual void lose_way() {}
};

// One client: implemented by connections, HTTP streams, datagram peers and bot sessions. Calls
// after the client has left do nothing.
class attachment {
 public:
  virtual ~attachment() = default;

  virtual attachment_id id() const = 0;
  // The account of the client's address, which never changes; null: the client has no limits. Any
  // thread.
  virtual address_account_ref account() const { return nullptr; }
  // True if another hub has sent the client to its player here.
  virtual bool comes_to_its_player() const { return false; }
  // Sends an event to the client.
  virtual void deliver(const event&) = 0;

  // Ends the attachment. It tells the client the reason in its protocol.
  virtual void close(close_reason) = 0;

  // Replaces the session handle. Destroying the previous handle detaches from the previous session.
  virtual void set_session(std::unique_ptr<session_handle>) = 0;
};

// A client whose player neither plays nor waits.
enum class unused_client : std::uint8_t {
  newcomer,  // it has not asked for a game yet
  idle,      // it has
};

// Makes session handles, one acceptor per wire and loop.
class session_acceptor {
 public:
  virtual ~session_acceptor() = default;
  // Returns null if the hub is full or draining; the gateway then closes the connection with `why`.
  // A hub that drains accepts clients that come to their players.
  virtual std::unique_ptr<session_handle> accept(std::shared_ptr<attachment>,
                                                 close_reason& why) = 0;

  // If the hub is full, closes the client of this kind that has been unused for the longest time:
  // one of this loop, of any protocol whose gateway does not close its clients itself. Returns
  // false if no such client is there; without an idle one, the other loops close one of either kind
  // for the next client.
  virtual bool make_room(unused_client) { return false; }

  // The number of accepted clients whose address may be forged has changed. They do not count
  // against the limit of connections, so that they take no place of others; the gateway limits
  // them.
  virtual void add_guests(std::int64_t /*change*/) {}
};

}  // namespace gamehub
