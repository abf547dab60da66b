// The spectators of one game: one subscription for each loop that has spectators. It publishes the
// updates of the table when their records are committed. A plain value, owned by a game actor and
// used on its loop.
#pragma once

#include "actors/runtime/subscription.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace gamehub::actors::spectate {

class spectator_list {
 public:
  // Calls `what` when all records are committed, because an earlier call would reveal uncommitted
  // ones.
  void after_commit(std::function<void()> what) { waiting_.push_back(std::move(what)); }

  // Adds a subscription. The table is watched, and all records up to `last` are committed.
  void add(std::shared_ptr<runtime::subscription>, journal::record_number last);
  // True if a subscription has a receiver.
  bool is_open() const;

  // Takes the updates of new records.
  void enqueue(std::vector<std::shared_ptr<game_update>>&);
  // The table made no updates of new records: ends the subscriptions, not the game. The spectators
  // read the log when it is committed.
  void drop();

  // Publishes the updates up to a committed record. `all`: every appended record is committed.
  void release(journal::record_number committed, bool all);

  // The game has ended, and all updates were released.
  void end();

  // True if updates or calls wait for a commit.
  bool has_pending() const { return !pending_.empty() || !waiting_.empty(); }

 private:
  std::vector<std::shared_ptr<runtime::subscription>> subscriptions_;
  std::vector<update_ref> pending_;
  std::vector<std::function<void()>> waiting_;
  bool ended_ = false;
};

}  // namespace gamehub::actors::spectate
