// The positions that a loop has made last. They are filled again once no client and no log refers
// to them, so that a move allocates neither a position nor its board and clock. There are as many
// as wait for a commit at once, up to a bound. Owned by the transition of a loop; used on its
// thread. The positions themselves are read by any thread.
#pragma once

#include "hub/core/event.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace gamehub::actors::table {

class position_store {
 public:
  static constexpr std::size_t kept_max = 256;

  // Returns a position with the values of a new one, which no other owner refers to.
  std::shared_ptr<position> take();

 private:
  // Returns a position that nothing else refers to, or null.
  std::shared_ptr<position> find_free();

  std::vector<std::shared_ptr<position>> kept_;
  std::size_t latest_ = 0;  // the one that was taken last
};

}  // namespace gamehub::actors::table
