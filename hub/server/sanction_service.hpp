// The bans and mutes of a running hub: in a file, in memory, or in a cluster's database with a
// thread that waits for it. Owned by the composition.
#pragma once

#include "hub/config/settings.hpp"
#include "hub/moderation/sanction_store.hpp"
#include "hub/moderation/sanction_worker.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gamehub::server {

class sanction_service {
 public:
  // Reads what is in force. Throws base::usage_error if the file or the database can't be used. The
  // ban list outlives it.
  sanction_service(const config::settings&, ban_list&);

  // Starts the thread, if there is one. `on_refreshed` is called on it when other bans may be in
  // force.
  void start(std::function<void()> on_refreshed);
  // Ends the thread. Called when no order comes any more.
  void stop();

  // Runs a function that changes the store and throws nothing: in this call, or later on the
  // thread. Returns false if too many wait. Called on one thread.
  bool change(std::function<void(moderation::sanction_store&)>);
  // As sanction_worker::notice(). Any thread.
  void notice(std::optional<std::uint64_t> generation);
  // Any thread.
  std::vector<moderation::sanction> all() const { return store_.all(); }

 private:
  moderation::sanction_store store_;
  const bool is_shared_;
  std::function<void()> on_refreshed_;
  moderation::sanction_worker worker_;
};

// Checks that the file could be read, and changes nothing. Throws base::usage_error.
void check_sanctions(const config::settings&);

}  // namespace gamehub::server
