// Inside a contract: the findings of a run, and where it is now. Owned by one run, used by its
// thread.
#pragma once

#include "engines/contract/finding.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::engines::contract {

class report {
 public:
  // Where the run is now: goes into what is found from here on.
  place& now() { return now_; }
  const place& now() const { return now_; }

  // A promise is reported at its first break only.
  bool expect(bool kept, std::string_view promise, std::string_view detail = {}) {
    if (!kept && !broken(promise)) {
      constexpr std::size_t detail_max = 400;
      found_.push_back(
          {std::string{promise}, std::string{detail.substr(0, detail_max)}, now_, 0, {}});
    }
    return kept;
  }
  // The same of two games that should not differ.
  void leak(std::string_view promise, std::string detail, std::uint64_t other_seed,
            std::string other) {
    if (broken(promise)) return;
    found_.push_back({std::string{promise}, std::move(detail), now_, other_seed, std::move(other)});
  }

  bool broken(std::string_view promise) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const finding& each) { return each.promise == promise; });
  }

  std::vector<finding>& found() { return found_; }
  const std::vector<finding>& found() const { return found_; }

 private:
  place now_;
  std::vector<finding> found_;
};

}  // namespace gamehub::engines::contract
