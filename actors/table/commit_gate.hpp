// Holds what a game has to say until the journal has committed the record it follows from. Notices
// leave in the order they came; a refusal waits behind a move that was accepted before it. Costs
// nothing while the journal commits at once. A plain value, owned by a game actor.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "actors/table.hpp"

namespace gamehub::actors {

class commit_gate {
 public:
  // The number of the last record that was appended, and how far the journal is.
  void appended(journal::record_number last) { appended_ = last; }
  void committed(journal::record_number upto) {
    if (upto > committed_) committed_ = upto;
  }

  journal::record_number appended() const { return appended_; }
  journal::record_number committed() const { return committed_; }

  bool open() const { return committed_ >= appended_; }

  // Takes notices that follow from everything appended so far.
  void hold(std::vector<transition::outbound_event>& notices) {
    if (!held_) held_ = std::make_unique<std::vector<held>>();
    for (auto& n : notices) held_->push_back({appended_, std::move(n)});
    notices.clear();
  }

  // Appends what may be said now.
  void release(std::vector<transition::outbound_event>& out) {
    if (!held_) return;
    auto at = held_->begin();
    for (; at != held_->end() && at->after <= committed_; ++at) out.push_back(std::move(at->what));
    held_->erase(held_->begin(), at);
    if (held_->empty()) held_.reset();
  }

  bool has_pending() const { return held_ != nullptr; }

 private:
  struct held {
    journal::record_number after = 0;
    transition::outbound_event what;
  };

  journal::record_number appended_ = 0, committed_ = 0;
  std::unique_ptr<std::vector<held>> held_;
};

}  // namespace gamehub::actors
