// Inside the engine contract: the list of findings and the dice of a run. Owned by one run, used by
// its thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests {

// SplitMix64: small, and the same numbers everywhere.
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Requires: end > 0.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }

  template <class T>
  const T& one_of(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

class report {
 public:
  explicit report(std::string engine_id) : engine_id_(std::move(engine_id)) {}

  // Where the run is now: goes into what is found from here on.
  void at(std::string place) { place_ = std::move(place); }

  // A promise is reported at its first break only.
  bool expect(bool kept, std::string_view promise, std::string_view detail = {}) {
    if (!kept && broken_.emplace(promise).second) {
      std::string line = engine_id_ + ": " + std::string{promise};
      if (!detail.empty()) line += ": " + std::string{detail.substr(0, 400)};
      found_.push_back(line + " (" + place_ + ")");
    }
    return kept;
  }

  const std::vector<std::string>& found() const { return found_; }

 private:
  std::string engine_id_;
  std::string place_;
  std::set<std::string, std::less<>> broken_;
  std::vector<std::string> found_;
};

}  // namespace gamehub::tests
