// The positions that a loop has made last. They are filled again once no client and no log refers
// to them, so that a move allocates neither a position nor its board and clock. Owned by the
// transition of a loop; used on its thread. The positions themselves are read by any thread.
#pragma once

#include "hub/core/event.hpp"

#include <array>
#include <cstddef>
#include <memory>

namespace gamehub::actors::table {

class position_store {
 public:
  static constexpr std::size_t kept_max = 4;

  // Returns a position with the values of a new one, which no other owner refers to.
  std::shared_ptr<position> take();

 private:
  std::array<std::shared_ptr<position>, kept_max> kept_;
  std::size_t oldest_ = 0;
};

}  // namespace gamehub::actors::table
