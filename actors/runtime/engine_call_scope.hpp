// Marks the time that a loop spends in an engine call, so that the watchdog can detect a blocked
// loop. Constructed on the loop's thread before the call and destroyed after it. The cost is two
// stores to cells that only this thread writes.
#pragma once

#include "metrics/cells.hpp"

#include <cstdint>

namespace gamehub::actors::runtime {

class engine_call_scope {
 public:
  // `engine` is the index in the engine directory.
  engine_call_scope(metrics::loop_cells& cells, std::uint16_t engine) : cells_(cells) {
    cells_.engine_calls.add();
    cells_.engine_inside.set(engine + 1);
  }
  ~engine_call_scope() { cells_.engine_inside.set(0); }
  engine_call_scope(const engine_call_scope&) = delete;
  engine_call_scope& operator=(const engine_call_scope&) = delete;

 private:
  metrics::loop_cells& cells_;
};

}  // namespace gamehub::actors::runtime
