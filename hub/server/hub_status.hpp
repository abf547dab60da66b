// Builds the document of /status.json from the numbers that the metrics are made of. A pure
// function; the composition calls it on the admin server's thread.
#pragma once

#include "hub/admin/status.hpp"
#include "hub/cluster/membership.hpp"
#include "hub/link/net/links.hpp"
#include "hub/server/engine_catalog.hpp"
#include "hub/server/loop_threads.hpp"
#include "metrics/arena_numbers.hpp"
#include "metrics/cells.hpp"
#include "metrics/journal_numbers.hpp"
#include "metrics/process.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gamehub::server {

struct status_sources {
  std::string version;
  std::vector<std::string> wires;            // names, in the order of the cells
  std::vector<const metrics::cells*> loops;  // of all loops
  metrics::journal_numbers journal;
  metrics::arena_numbers league;
  metrics::process_usage process;
  double now_seconds = 0;              // since 1970
  std::optional<std::string> unready;  // why no players are taken; nothing: they are
  std::vector<std::string> failing;    // one sentence for each stuck loop
  std::vector<admin::plugin_state> plugins;
  std::vector<cluster::member_state> cluster;  // empty: no cluster
  cluster::member_id self;                     // in the cluster
  std::vector<link::net::link_status> links;   // of this hub; empty: it has none
};

// Returns the sources that the loops count. Any thread; waits for no other one.
status_sources counts_of(const std::vector<open_wire>&, const loop_threads&);

// Returns the status of the hub. Sums each count over all loops and engines.
admin::hub_status status_of(const status_sources&);

// Returns what each protocol has of the hub's clients, for the log: "http: 1 player, 3
// connections". Empty if it has no clients.
std::string clients_by_wire(const admin::hub_status&);

}  // namespace gamehub::server
