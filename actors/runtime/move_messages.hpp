// The messages of moves that were handled on a loop: each carries a later move, because a message
// costs two allocations. Owned by the loop and used on its thread.
#pragma once

#include "actors/runtime/interfaces.hpp"

#include <caf/mailbox_element.hpp>

#include <cstddef>
#include <vector>

namespace gamehub::actors::runtime {

class move_messages {
 public:
  // More moves than these are rarely under way on a loop at once.
  static constexpr std::size_t kept_max = 64;

  // Returns a message with this move.
  caf::mailbox_element_ptr make(play_request&&);
  // Keeps a handled message if it has a move. No other owner refers to its content.
  void keep(caf::mailbox_element_ptr);

  std::size_t kept() const { return kept_.size(); }

 private:
  std::vector<caf::mailbox_element_ptr> kept_;
};

}  // namespace gamehub::actors::runtime
