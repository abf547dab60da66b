// Replays a game log to public updates, for spectators who need earlier updates. It works in steps,
// so that a long log does not block the loop. A plain value, used by one thread at a time: the loop
// of the spectator service, or the loop of the engine process.
#pragma once

#include "actors/table/engine_directory.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/journal/record.hpp"
#include "metrics/cells.hpp"

#include <cstddef>
#include <optional>

namespace gamehub::actors::spectate {

class log_replay {
 public:
  log_replay(const table::engine_directory&, journal::game_log);

  // The process of the engine, or null if the engine runs in this process.
  const engines::host::host* host() const { return rules_ == nullptr ? nullptr : rules_->host(); }

  // Replays at most `records` records. Returns true if records remain.
  bool run(std::size_t records, metrics::loop_cells&);

  // Returns the result. run() has returned false.
  game_replay take() { return std::move(result_); }

 private:
  void begin();
  void append_update(const journal::record&);
  // Applies the record of an action. Returns its description.
  legal_action apply(const journal::record&);
  // Returns the current position for spectators. There is a match.
  std::shared_ptr<position> render(const journal::record&) const;
  outcome outcome_of(const journal::record& end) const;

  journal::game_log log_;
  std::uint16_t engine_ = 0;
  const engines::host::engine* rules_ = nullptr;  // null: the hub does not have this version
  std::optional<engines::host::match> match_;
  std::optional<seat_index> leaver_;
  std::size_t next_ = 0;
  game_replay result_;
};

}  // namespace gamehub::actors::spectate
