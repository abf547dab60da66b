// Marks the time that a loop spends in an engine call, so that the watchdog can detect a blocked
// loop, and a crash can name the engine and the game. Constructed on the loop's thread before the
// call and destroyed after it. The cost is a few stores to what only this thread writes.
#pragma once

#include "hub/base/crash_log.hpp"
#include "hub/core/ids.hpp"
#include "metrics/cells.hpp"

#include <cstdint>

namespace gamehub::actors::runtime {

class engine_call_scope {
 public:
  // `engine` is the index in the engine directory.
  engine_call_scope(metrics::loop_cells& cells, std::uint16_t engine, game_id game = {})
      : cells_(cells), activity_({engine + 1u, game.value}) {
    cells_.engine_calls.add();
    cells_.engine_inside.set(engine + 1);
  }
  ~engine_call_scope() { cells_.engine_inside.set(0); }
  engine_call_scope(const engine_call_scope&) = delete;
  engine_call_scope& operator=(const engine_call_scope&) = delete;

 private:
  metrics::loop_cells& cells_;
  const base::crash_log::scope activity_;
};

}  // namespace gamehub::actors::runtime
