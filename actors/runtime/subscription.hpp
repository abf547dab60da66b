// The connection between a spectator service and a watched game. The service sends a subscription
// or a query to the lobby, which forwards it to the game or keeps it until the game starts. Any
// loop may call it; it posts the replies to the loop of the service. If it is destroyed without an
// end or an answer, the game has no such spectator any more, and the service is notified.
#pragma once

#include "hub/core/spectator_service.hpp"
#include "hub/journal/member_id.hpp"
#include "hub/journal/record.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace gamehub::actors::runtime {

// A request about a game.
class game_query {
 public:
  virtual ~game_query() = default;

  // The game is waiting for players. A subscription hears it again when they have changed.
  virtual void on_waiting(std::shared_ptr<const game_metadata>) = 0;
};

// Receives the updates of a game until its end.
class subscription : public game_query {
 public:
  // True while the subscription has a receiver.
  virtual bool open() const = 0;
  // The seat whose view the updates have; none: that of spectators. Never changes.
  virtual std::optional<seat_index> as() const = 0;

  // The game publishes every update after this one, after which the present state is this; null:
  // the game has ended.
  virtual void follow(journal::record_number after, present_ref) = 0;
  // Sends committed updates, in order, and the present state after them; null: it is not known,
  // because further records are not committed yet.
  virtual void publish(std::span<const update_ref>, present_ref) = 0;
  // The game has ended and every update was published.
  virtual void ended() = 0;
};

// The games of the other hubs of a cluster, for spectators. Any loop.
class far_games {
 public:
  // Follows a game that was at that hub. If another hub takes it over, it is followed there.
  virtual void watch(journal::member_id at, game_id, std::shared_ptr<subscription>) = 0;
  // Calls the function, on any thread, with all updates of a game that a subscription follows;
  // nothing: none follows it.
  virtual void replay(game_id, std::function<void(std::optional<game_replay>)>) = 0;

 protected:
  ~far_games() = default;
};

// Requests the clocks of running games. Destroying it ends the request; games that do not run any
// more have not answered.
class clock_query {
 public:
  virtual ~clock_query() = default;

  virtual void answer(game_id, game_clock) = 0;
};

// Requests one snapshot of a game.
class snapshot_query : public game_query {
 public:
  // The seat whose view is requested; none: the public view.
  virtual std::optional<seat_index> as() const = 0;
  virtual void answer(game_snapshot) = 0;
};

}  // namespace gamehub::actors::runtime
