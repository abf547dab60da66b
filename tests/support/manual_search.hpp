// A thinker without threads: questions wait until a test has them answered, the oldest first. Used
// on the one thread of a test hub.
#pragma once

#include <caf/send.hpp>
#include <cstddef>

#include <deque>
#include <optional>
#include <utility>

#include "actors/thinking.hpp"

namespace gamehub::tests {

class manual_search final : public actors::searches {
 public:
  bool take(actors::search_request& q) override {
    if (waiting_.size() >= waiting_max) return false;
    waiting_.push_back(std::move(q));
    return true;
  }

  // The oldest question, which is then somebody else's to answer.
  std::optional<actors::search_request> next() {
    if (waiting_.empty()) return std::nullopt;
    auto q = std::move(waiting_.front());
    waiting_.pop_front();
    return q;
  }

  // Answers one question. False if there is none.
  bool think() {
    const auto q = next();
    if (!q) return false;
    caf::anon_send(q->from,
                   actors::answer(*q, [looks = 0]() mutable { return ++looks > looks_max; }));
    return true;
  }
  std::size_t waiting() const { return waiting_.size(); }

  std::size_t waiting_max = 1'000;
  // settle() leaves the questions alone.
  bool paused = false;

 private:
  // So far the search looks, the same in every run.
  static constexpr int looks_max = 20;

  std::deque<actors::search_request> waiting_;
};

}  // namespace gamehub::tests
