// Replays a game log to public updates, for spectators who need earlier updates. It works in steps,
// so that a long log does not block the loop. A plain value, used by one thread at a time: the loop
// of the spectator service, or the loop of the engine process.
#pragma once

#include "actors/runtime/loop.hpp"
#include "actors/table/engine_directory.hpp"
#include "actors/table/substitutes.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/journal/record.hpp"

#include <cstddef>
#include <optional>

namespace gamehub::actors::spectate {

class log_replay {
 public:
  // For spectators, or as the player of a seat sees it.
  log_replay(const table::engine_directory&, journal::game_log, std::optional<seat_index> as);

  // The process of the engine, or null if the engine runs in this process.
  engines::host::host* host() const { return rules_ ? rules_->host() : nullptr; }

  // Replays at most `records` records. Returns true if records remain.
  // `where` is the calling thread's loop, which reports failures of the engine.
  bool run(std::size_t records, runtime::loop& where);

  // Returns the result. run() has returned false.
  game_replay take() { return std::move(result_); }

 private:
  void begin(runtime::loop&);
  void append_update(const journal::record&, runtime::loop&);
  // Applies the record of an action. Returns its description.
  legal_action apply(const journal::record&);
  // Returns the current position for the viewer. There is a match.
  std::shared_ptr<position> render(const journal::record&) const;
  // Returns the seats that have lost by the end of the log without the rules.
  seat_set losers_of(const journal::record& end) const;
  outcome outcome_of(const journal::record& end) const;
  // Reports the exception that is being handled. Requires: called in a catch block.
  void report_failure(runtime::loop&) const;

  journal::game_log log_;
  std::optional<seat_index> as_;
  std::uint16_t engine_ = 0;
  std::optional<engines::host::engine> rules_;  // nothing: the hub does not have this version
  std::optional<engines::host::match> match_;
  std::optional<seat_index> leaver_;
  table::substitutes substitutes_;
  std::size_t next_ = 0;
  game_replay result_;
};

}  // namespace gamehub::actors::spectate
