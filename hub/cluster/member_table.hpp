// The port to the members of a cluster and their heartbeats: one row for each member whose log no
// other member has taken over completely, and for some of the latest others. Implementations:
// PostgreSQL (hub/cluster/postgres), and a fake in tests. One thread at a time uses a table.
#pragma once

#include "hub/journal/shared_log.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gamehub::cluster {

using journal::member_id;

struct member_row {
  member_id id;
  std::uint64_t beats = 0;  // grows as long as the member lives
  std::uint64_t games = 0;  // open ones, at its last beat
  bool left = false;        // it has ended, and its log waits for an owner
  bool taken = false;       // its owner has taken everything over: there are no beats any more
  std::optional<member_id> adopted_by;
  std::string address, build;
  // The engines of the member, as journal::engine_name() has them. Of one that has left: those that
  // its games need. Empty: not known, which counts as all, or as what every member has.
  std::set<std::string> engines;
  std::string link = {};  // where its links listen; empty: it has none
  // How often the bans and mutes of the cluster were changed: the same in all rows of one read.
  std::uint64_t sanctions = 0;
  // The format of records that all members write (hub/journal/record_format.hpp): likewise.
  std::uint64_t record_format = 1;
};

// Returns true if this member has every engine (or `one`, if there is any) that the games of the
// other one need.
bool has_engines_for(const member_row& self, const member_row& other);
bool has_an_engine_for(const member_row& self, const member_row& other);

// Returns true if a member lives, as far as its row says.
inline bool is_here(const member_row& r) { return !r.taken && !r.adopted_by && !r.left; }

class member_table {
 public:
  virtual ~member_table() = default;

  // Writes a heartbeat of this member, then reads all rows, its own too. The heartbeat itself is
  // not durable: only that it grows counts. Throws an exception of the database.
  virtual std::vector<member_row> beat(std::uint64_t games,
                                       const std::set<std::string>& engines) = 0;

  // States that this member has ended: others adopt its log without waiting. Throws an exception of
  // the database.
  virtual void leave() = 0;
};

}  // namespace gamehub::cluster
