// Numbers drawn from a seed, for an opponent that must not always play the same: the same numbers
// for the same seed everywhere. No secrets are made of these. Owned by whoever makes them, used by
// one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gamehub::engines {

class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed) {}

  // SplitMix64: neighbouring seeds give unlike numbers from the first one on.
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Requires: end > 0.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }

  // Requires: there is at least one.
  template <class T>
  const T& one_of(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace gamehub::engines
