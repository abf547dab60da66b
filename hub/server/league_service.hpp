// The arena that a running hub keeps, as its settings want it: in a file, or in memory. Owned by
// the hub; what is wrong with the file is the operator's to mend. Any thread, once made.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "hub/app/settings.hpp"
#include "hub/arena/arena.hpp"
#include "hub/arena/store.hpp"
#include "hub/journal/journal.hpp"
#include "metrics/arena_numbers.hpp"

namespace gamehub::app {

// The time of day, as the arena takes it.
wall_time wall_now();

class league_service {
 public:
  // Opens it, and logs when its file can't be written and when it can again. Throws
  // operator_mistake.
  explicit league_service(const settings&);
  league_service(const league_service&) = delete;
  league_service& operator=(const league_service&) = delete;
  ~league_service() { close(); }

  gamehub::arena::arena& live() { return arena_; }

  // Takes up what became of its games. Requires: the hub's games were recovered, and none has begun
  // since.
  void settle(const journal::journal&);

  // Writes what waits; from then on nothing is written, and nobody is called back.
  void close() { store_->close(); }

  // Why it can't be written just now; nothing: all is well.
  std::optional<std::string> trouble() const { return store_->trouble(); }

  metrics::arena_numbers numbers() const;

 private:
  std::unique_ptr<gamehub::arena::store> store_;
  gamehub::arena::arena arena_;
};

// Finds what would be wrong with its file, and changes nothing. Throws operator_mistake.
void check_arena(const settings&);

}  // namespace gamehub::app
