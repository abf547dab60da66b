// The messages of one proxy that its link did not take, in order, until it does. Bounded, because a
// seat has one intent under way and of everything else the latest counts. Owned by a proxy.
#pragma once

#include "hub/far/messages.hpp"

#include <chrono>
#include <deque>
#include <utility>

namespace gamehub::actors::far {

// The time between two tries.
inline constexpr std::chrono::milliseconds send_again_after{20};

class unsent {
 public:
  bool empty() const { return messages_.empty(); }
  void clear() { messages_.clear(); }

  // Sends the message after those that wait, or keeps it.
  template <class Send>
  void send(gamehub::far::message m, Send try_send) {
    if (flush(try_send) && try_send(m)) return;
    namespace messages = gamehub::far;
    const bool is_state = std::holds_alternative<messages::resend>(m) ||
                          std::holds_alternative<messages::presence>(m) ||
                          std::holds_alternative<messages::rename>(m);
    if (is_state)
      std::erase_if(messages_, [&](const auto& each) { return each.index() == m.index(); });
    messages_.push_back(std::move(m));
  }

  // Returns true if nothing waits any more.
  template <class Send>
  bool flush(Send try_send) {
    while (!messages_.empty() && try_send(messages_.front())) messages_.pop_front();
    return messages_.empty();
  }

 private:
  std::deque<gamehub::far::message> messages_;
};

}  // namespace gamehub::actors::far
