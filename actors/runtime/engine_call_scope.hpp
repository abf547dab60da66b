// Marks for a watchdog that a loop is inside an engine: made where the loop's thread calls one,
// gone when it comes back. Two stores to cells that only this thread writes.
#pragma once

#include <cstdint>

#include "metrics/cells.hpp"

namespace gamehub::actors {

class inside {
 public:
  // The engine, by its number in the catalog.
  inside(metrics::loop_cells& cells, std::uint16_t engine) : cells_(cells) {
    cells_.engine_calls.add();
    cells_.engine_inside.set(engine + 1);
  }
  ~inside() { cells_.engine_inside.set(0); }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;

 private:
  metrics::loop_cells& cells_;
};

}  // namespace gamehub::actors
