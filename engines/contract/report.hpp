// Part of the conformance suite: the violations of a run and its current position. Owned by one run
// and used by its thread.
#pragma once

#include "engines/contract/violation.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::engines::contract {

class report {
 public:
  // The current position, which every new violation contains.
  game_position& now() { return now_; }
  const game_position& now() const { return now_; }

  // Records a violation if `kept` is false and the promise was not violated before. Returns `kept`.
  bool expect(bool kept, std::string_view promise, std::string_view detail = {}) {
    if (!kept && !broken(promise)) {
      constexpr std::size_t detail_max = 400;
      found_.push_back(
          {std::string{promise}, std::string{detail.substr(0, detail_max)}, now_, 0, {}});
    }
    return kept;
  }
  // Records that two games with the same history differ.
  void leak(std::string_view promise, std::string detail, std::uint64_t other_seed,
            std::string other) {
    if (broken(promise)) return;
    found_.push_back({std::string{promise}, std::move(detail), now_, other_seed, std::move(other)});
  }

  // True if the promise was violated.
  bool broken(std::string_view promise) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const violation& each) { return each.promise == promise; });
  }

  std::vector<violation>& found() { return found_; }
  const std::vector<violation>& found() const { return found_; }

 private:
  game_position now_;
  std::vector<violation> found_;
};

}  // namespace gamehub::engines::contract
