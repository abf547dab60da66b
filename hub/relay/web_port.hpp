// How a gateway passes requests over HTTP on to the other hubs of the cluster, and answers theirs.
// Implemented in actors/relay and by the gateway; any thread may call the functions.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/relay/demand.hpp"
#include "hub/relay/messages.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::relay {

// What comes from the other hubs. Called on the thread of a link, which it must not block.
class web_receiver {
 public:
  // One of the messages about requests over HTTP, or a change of guests.
  virtual void on_web(member_id from, message) = 0;
  // These hubs do not live any more: nothing comes from them.
  virtual void on_lost(const std::vector<member_id>&) = 0;

 protected:
  ~web_receiver() = default;
};

class web_port {
 public:
  // Sends a message. Returns false if it can't be sent now, or that hub does not know the message.
  virtual bool send(member_id, const message&, base::instant now) = 0;
  // True if the link to that hub has room for bytes that can wait. What the hubs say of players
  // needs the rest.
  virtual bool has_room(member_id) const = 0;
  // True if a game of that hub can be watched by spectator_service::watch_elsewhere().
  virtual bool can_watch(member_id) const = 0;
  // The hubs that answer requests.
  virtual std::vector<member_id> others() const = 0;
  // The other hub that has the bots of the cluster; none: this one has them, or it is not known.
  virtual std::optional<member_id> league() const = 0;
  // Calls `found`, on any thread, with the other hub where this game waits or runs, or where the
  // game of this invitation waits; none: it does so here, or at no hub.
  virtual void find_game(game_id, std::string invitation,
                         std::function<void(std::optional<member_id>)> found) = 0;
  // Another hub has too much of that, and was refused.
  virtual void count_refused(demand) = 0;
  // From now on what comes goes to this receiver; null: it is dropped. Returns when no call to the
  // former one is under way.
  virtual void serve(web_receiver*) = 0;

 protected:
  ~web_port() = default;
};

}  // namespace gamehub::relay
