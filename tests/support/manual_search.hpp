// A search executor without threads: requests wait until the test runs them, the oldest first. Used
// on the thread of a test hub.
#pragma once

#include "actors/runtime/search_pool.hpp"

#include <caf/send.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace gamehub::tests {

class manual_search final : public actors::runtime::search_executor {
 public:
  bool try_submit(actors::runtime::search_request& q) override {
    if (waiting_.size() >= waiting_max) return false;
    waiting_.push_back(std::move(q));
    return true;
  }

  // Removes and returns the oldest request.
  std::optional<actors::runtime::search_request> next() {
    if (waiting_.empty()) return std::nullopt;
    auto q = std::move(waiting_.front());
    waiting_.pop_front();
    return q;
  }

  // Runs the oldest search. Returns false if the queue is empty.
  bool run_next() {
    const auto q = next();
    if (!q) return false;
    caf::anon_send(q->from, actors::runtime::run_search(
                                *q, [looks = 0]() mutable { return ++looks > looks_max; }));
    return true;
  }
  std::size_t waiting() const { return waiting_.size(); }

  std::size_t waiting_max = 1'000;
  // If set, settle() runs no searches.
  bool paused = false;

 private:
  // The search ends after this number of polls, so that every run is the same.
  static constexpr int looks_max = 20;

  std::deque<actors::runtime::search_request> waiting_;
};

}  // namespace gamehub::tests
