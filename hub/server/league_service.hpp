// The bot league of a running hub: in a file or in memory as the settings say, or in the database
// of a cluster, of which one hub has the league. Owned by the composition; any thread after
// construction.
#pragma once

#include "actors/relay/exchange.hpp"
#include "hub/config/settings.hpp"
#include "hub/journal/journal.hpp"
#include "hub/league/arena.hpp"
#include "hub/league/league_registry.hpp"
#include "hub/league/postgres/cluster_store.hpp"
#include "hub/league/store.hpp"
#include "hub/server/cluster_journal.hpp"
#include "hub/server/cluster_members.hpp"
#include "metrics/arena_numbers.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace gamehub::server {

class league_service {
 public:
  // Opens the file. Logs when writing fails and when it works again. Throws base::usage_error if
  // the file can't be used.
  league_service(const config::settings&, cluster_journal*);
  league_service(const league_service&) = delete;
  league_service& operator=(const league_service&) = delete;
  ~league_service() { close(); }

  // Returns the league.
  league::arena& live() { return arena_; }

  // In a cluster: this hub takes the league when no other one has it, while it adopts no log. The
  // registry is told then, and the exchange, if there is one, which hub has it. All outlive the
  // league's close(). Called when the loops run.
  void join(cluster_members&, const journal::journal&, league::league_registry&,
            actors::relay::exchange*);

  // Reads from the journal how the league's running games ended. Requires: the hub's games were
  // recovered, and no game has begun since.
  void record_results(const journal::journal&);

  // Writes the pending changes. After this nothing is written, and no callback is called.
  void close() { store_->close(); }

  // Returns why the file can't be written now, or nothing if it can.
  std::optional<std::string> trouble() const { return store_->trouble(); }

  // Returns the counts for metrics.
  metrics::arena_numbers numbers() const;

 private:
  std::unique_ptr<league::store> store_;
  league::postgres::cluster_store* const shared_;  // the same; null: there is no cluster
  std::atomic<bool> here_;
  league::arena arena_;
};

// Checks that the file could be opened, and changes nothing. Throws base::usage_error.
void check_arena(const config::settings&);

}  // namespace gamehub::server
