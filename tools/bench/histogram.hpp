// Latencies in steps of 1/64 of their power of two: any percentile within 1.6 %, in about 30 KiB.
// Owned by a load, used on its thread.
#pragma once

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gamehub::tools::bench {

class histogram {
 public:
  void add(std::chrono::nanoseconds t) {
    const auto ns = t.count() < 0 ? 0 : static_cast<std::uint64_t>(t.count());
    ++steps_[step_of(ns)];
    ++count_;
    if (ns > most_) most_ = ns;
  }

  void clear() { *this = histogram{}; }
  std::uint64_t count() const { return count_; }
  double most_us() const { return static_cast<double>(most_) / 1000; }

  // The latency in microseconds that this share of all did not exceed; 0 if the histogram is empty.
  double at_us(double share) const {
    if (count_ == 0) return 0;
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(count_));
    std::uint64_t passed = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      passed += steps_[i];
      if (passed > wanted) return static_cast<double>(begin_of(i)) / 1000;
    }
    return most_us();
  }

 private:
  static constexpr int step_bits = 6;
  static constexpr std::uint64_t steps_per_octave = 1U << step_bits;

  static constexpr std::size_t step_of(std::uint64_t ns) {
    if (ns < steps_per_octave) return ns;
    const auto shift = static_cast<unsigned>(std::bit_width(ns)) - step_bits - 1;
    return (shift + 1) * steps_per_octave + ((ns >> shift) & (steps_per_octave - 1));
  }
  static constexpr std::uint64_t begin_of(std::size_t step) {
    if (step < steps_per_octave) return step;
    const auto shift = step / steps_per_octave - 1;
    return (steps_per_octave + step % steps_per_octave) << shift;
  }
  std::vector<std::uint64_t> steps_ = std::vector<std::uint64_t>(64 * steps_per_octave);
  std::uint64_t count_ = 0;
  std::uint64_t most_ = 0;
};

}  // namespace gamehub::tools::bench
