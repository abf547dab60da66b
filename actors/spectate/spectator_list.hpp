// The spectators of one game: one subscription for each loop that has spectators. It projects each
// record to a public update once and publishes the update when the record is committed. A plain
// value, owned by a game actor and used on its loop.
#pragma once

#include "actors/runtime/subscription.hpp"
#include "actors/spectate/public_projection.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gamehub::actors::spectate {

class spectator_list {
 public:
  // Calls `what` when all records are committed, because an earlier call would reveal uncommitted
  // ones.
  void after_commit(std::function<void()> what) { waiting_.push_back(std::move(what)); }

  bool has_projection() const { return projection_.has_value(); }
  // Sets the projection. It has applied every record of the log.
  void set_projection(public_projection n) { projection_.emplace(std::move(n)); }

  // Adds a subscription. A projection is set, and all records up to `last` are committed.
  void add(std::shared_ptr<runtime::subscription>, journal::record_number last);

  // Projects new records. A failure of the engine ends the subscriptions, not the game, and is
  // thrown.
  void on_records(std::span<const journal::record>);

  // Publishes the updates up to a committed record. `all`: every appended record is committed.
  void release(journal::record_number committed, bool all);

  // The game has ended, and all updates were released.
  void end();

  // True if updates or calls wait for a commit.
  bool has_pending() const { return !pending_.empty() || !waiting_.empty(); }

 private:
  std::optional<public_projection> projection_;
  std::vector<std::shared_ptr<runtime::subscription>> subscriptions_;
  std::vector<update_ref> pending_;
  std::vector<std::function<void()>> waiting_;
  bool ended_ = false;
};

}  // namespace gamehub::actors::spectate
