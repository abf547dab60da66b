// Holds the output of a game back until the journal has committed the records that it depends on.
// Output is released in order, so a refusal waits for an earlier move. It costs nothing while the
// journal commits immediately. A plain value, owned by a game actor and used on its loop.
#pragma once

#include "actors/table/table.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace gamehub::actors::table {

class commit_gate {
 public:
  // Set the number of the last appended record, and the last committed one.
  void appended(journal::record_number last) { appended_ = last; }
  void committed(journal::record_number upto) {
    if (upto > committed_) committed_ = upto;
  }

  journal::record_number appended() const { return appended_; }
  journal::record_number committed() const { return committed_; }

  // True if every appended record is committed.
  bool open() const { return committed_ >= appended_; }

  // Takes output that depends on all records appended so far.
  void enqueue(std::vector<transition::outbound_event>& events) {
    if (!pending_) pending_ = std::make_unique<std::vector<pending_output>>();
    pending_->reserve(pending_->size() + events.size());
    for (auto& e : events) pending_->push_back({appended_, std::move(e)});
    events.clear();
  }

  // Appends the output whose records are committed.
  void release(std::vector<transition::outbound_event>& out) {
    if (!pending_) return;
    auto at = pending_->begin();
    for (; at != pending_->end() && at->after <= committed_; ++at)
      out.push_back(std::move(at->what));
    pending_->erase(pending_->begin(), at);
    if (pending_->empty()) pending_.reset();
  }

  bool has_pending() const { return pending_ != nullptr; }

  struct pending_output {
    journal::record_number after = 0;  // it waits for the commit of this record
    transition::outbound_event what;
  };
  // Removes the output whose records are not committed, and returns it in order.
  std::vector<pending_output> take_back() {
    const auto was = std::exchange(pending_, nullptr);
    return was ? std::move(*was) : std::vector<pending_output>{};
  }

 private:
  journal::record_number appended_ = 0, committed_ = 0;
  std::unique_ptr<std::vector<pending_output>> pending_;
};

}  // namespace gamehub::actors::table
