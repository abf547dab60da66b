// The league's store in a cluster: its database, written by one member, the one that has the
// league. A member takes it if no member has it, or when the log of the one that had it belongs to
// this one. What it writes after another one has taken it has no effect. Owned by the composition;
// any thread.
#pragma once

#include "hub/journal/member_id.hpp"
#include "hub/league/store.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::league::postgres {

struct cluster_store_settings {
  std::string target;  // a connection string or URI of libpq
  journal::member_id self;
  // The time of day, from which the age of results is computed.
  base::wall_time now{};
  // Called on the store's thread when the database can't be used (with why), and when it can again
  // (with an empty text).
  std::function<void(std::string_view)> log_trouble;
};

class cluster_store : public store {
 public:
  struct watcher {
    // Calls the function if this member may take the league now, and keeps it from adopting a log
    // until the call returns: bots come back to the games of a log that was adopted completely.
    std::function<void(const std::function<void()>&)> if_idle;
    // Called on the store's thread when another member has the league; none: it is not known. If
    // `here`, this one has it now: load() returns what there is. What it throws is tried again.
    std::function<void(std::optional<journal::member_id>, bool here)> on_owner;
  };

  // Looks for the league now and once a second. Until this member has it, load() returns nothing.
  // Requires: called once, after load().
  virtual void start(watcher) = 0;
};

std::unique_ptr<cluster_store> make_cluster_store(cluster_store_settings);

}  // namespace gamehub::league::postgres
