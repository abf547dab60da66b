// A random number generator for engine players: the same numbers for the same seed on every
// machine. It is not suitable for secrets. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gamehub::engines {

class rng {
 public:
  explicit rng(std::uint64_t seed) : state_(seed) {}

  // SplitMix64: adjacent seeds give unrelated numbers.
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Returns a number below `end`, which is positive.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }

  // Returns a random element of a vector that is not empty.
  template <class T>
  const T& one_of(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

// The former name, which plugins still use.
using dice = rng;

}  // namespace gamehub::engines
