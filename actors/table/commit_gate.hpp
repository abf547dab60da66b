// Holds the output of a game back until the journal has committed the records that it depends on.
// Output is released in order, so a refusal waits for an earlier move. It costs nothing while the
// journal commits immediately. A plain value, owned by a game actor and used on its loop.
#pragma once

#include "actors/table/table.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace gamehub::actors::table {

// Output that waits for the commit of the record `after`.
struct pending_output {
  journal::record_number after = 0;
  transition::outbound_event what;
};
using pending_outputs = std::vector<pending_output>;

// The lists of gates that hold nothing any more. A game that waits for a commit takes one, so that
// a move allocates none and an idle game has none. Owned by a loop, used by all its games.
class spare_lists {
 public:
  static constexpr std::size_t kept_max = 128;
  // The memory of a longer list is not kept.
  static constexpr std::size_t kept_length_max = 16;

  // Returns an empty list.
  std::unique_ptr<pending_outputs> take() {
    if (kept_.empty()) return std::make_unique<pending_outputs>();
    auto list = std::move(kept_.back());
    kept_.pop_back();
    return list;
  }

  void give_back(std::unique_ptr<pending_outputs> list) {
    if (kept_.size() >= kept_max || list->capacity() > kept_length_max) return;
    list->clear();
    kept_.push_back(std::move(list));
  }

  std::size_t size() const { return kept_.size(); }

 private:
  std::vector<std::unique_ptr<pending_outputs>> kept_;
};

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
  void enqueue(std::vector<transition::outbound_event>& events, spare_lists& spare) {
    if (!pending_) pending_ = spare.take();
    for (auto& e : events) pending_->push_back({appended_, std::move(e)});
    events.clear();
  }

  // Appends the output whose records are committed.
  void release(std::vector<transition::outbound_event>& out, spare_lists& spare) {
    if (!pending_) return;
    auto at = pending_->begin();
    for (; at != pending_->end() && at->after <= committed_; ++at)
      out.push_back(std::move(at->what));
    pending_->erase(pending_->begin(), at);
    if (pending_->empty()) spare.give_back(std::move(pending_));
  }

  bool has_pending() const { return pending_ != nullptr; }

  // Removes the output whose records are not committed, and returns it in order.
  pending_outputs take_back() {
    const auto was = std::exchange(pending_, nullptr);
    return was ? std::move(*was) : pending_outputs{};
  }

 private:
  journal::record_number appended_ = 0, committed_ = 0;
  std::unique_ptr<pending_outputs> pending_;
};

}  // namespace gamehub::actors::table
