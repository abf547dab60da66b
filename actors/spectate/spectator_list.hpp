// The spectators of one game: one subscription for each loop that has spectators. It publishes the
// updates of the table when their records are committed. A plain value, owned by a game actor and
// used on its loop.
#pragma once

#include "actors/runtime/subscription.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gamehub::actors::spectate {

class spectator_list {
 public:
  // Calls `what` after a commit of all records, because an earlier call would reveal uncommitted
  // ones. `what` looks again: one that was called before it may have appended records.
  void after_commit(std::function<void()> what) { waiting_.push_back(std::move(what)); }
  // Makes these calls now.
  void call_waiting();

  // Adds a subscription. The table is watched, and all records up to `last` are committed; the
  // present state is the one after them.
  void add(std::shared_ptr<runtime::subscription>, journal::record_number last, present_ref);
  // The subscriptions that have a receiver.
  struct readers {
    bool any = false;
    seat_set seats = 0;  // those whose own view is subscribed
  };
  readers open() const;

  // Takes the updates of new records, and the same as players see them.
  void enqueue(std::vector<std::shared_ptr<game_update>>& shared,
               std::vector<std::shared_ptr<game_update>>& own);
  // The table made no updates of new records: ends the subscriptions, not the game. The spectators
  // read the log when it is committed.
  void drop();

  // The present state has changed without a record.
  void present_changed() { present_changed_ = true; }

  // Returns the present state of the game for a subscription of spectators or of a seat.
  using present_function = std::function<present_ref(std::optional<seat_index>)>;

  // Publishes the updates up to a committed record. `all`: every appended record is committed; then
  // the present state follows, if there was an update or present_changed().
  void release(journal::record_number committed, bool all, const present_function&);

  // The game has ended, and all updates were released.
  void end();

  // True if updates or calls wait for a commit.
  bool has_pending() const { return !pending_.empty() || !waiting_.empty(); }

 private:
  void publish(std::span<const update_ref>, const present_function&);

  std::vector<std::shared_ptr<runtime::subscription>> subscriptions_;
  std::vector<update_ref> pending_;  // by number
  std::vector<std::function<void()>> waiting_;
  bool present_changed_ = false;  // since it was published
  bool ended_ = false;
};

}  // namespace gamehub::actors::spectate
