// Where secrets and the draws of chance come from. The program uses the kernel's generator; tests
// and the simulation one that a seed repeats. One source per loop, used on its thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gamehub::base {

class random_source {
 public:
  virtual ~random_source() = default;
  virtual std::uint64_t next() = 0;

  // Requires: n > 0. Each number below n equally likely.
  std::uint64_t below(std::uint64_t n);

  // 128 bits in hexadecimal: what brings a player back.
  std::string secret();
};

// getrandom(2), fetched in blocks.
class system_entropy final : public random_source {
 public:
  std::uint64_t next() override;

 private:
  std::array<std::uint64_t, 32> block_{};
  std::size_t used_ = block_.size();
};

// SplitMix64 (Steele, Lea, Flood, 2014): a fair sequence, not a secret one.
class seeded_entropy final : public random_source {
 public:
  explicit seeded_entropy(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() override;

 private:
  std::uint64_t state_;
};

}  // namespace gamehub::base
