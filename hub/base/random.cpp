#include "hub/base/random.hpp"

#include "hub/base/text.hpp"

#include <cerrno>
#include <sys/random.h>
#include <system_error>

namespace gamehub::base {

std::uint64_t random_source::below(std::uint64_t n) {
  // What lies above the last whole multiple of n would favour small numbers.
  const auto fair = ~std::uint64_t{0} - ~std::uint64_t{0} % n;
  for (;;)
    if (const auto x = next(); x < fair) return x % n;
}

std::string random_source::secret() {
  std::string text;
  text.reserve(32);
  for (int half = 0; half < 2; ++half) {
    auto bits = next();
    for (int i = 0; i < 16; ++i, bits >>= 4) text.push_back(hex_digits[bits & 15]);
  }
  return text;
}

std::uint64_t system_entropy::next() {
  if (used_ == block_.size()) {
    // Blocks of up to 256 bytes arrive whole (getrandom(2)).
    while (::getrandom(block_.data(), sizeof block_, 0) != static_cast<ssize_t>(sizeof block_))
      if (errno != EINTR) throw std::system_error{errno, std::generic_category(), "getrandom"};
    used_ = 0;
  }
  return block_[used_++];
}

std::uint64_t seeded_entropy::next() {
  state_ += 0x9e3779b97f4a7c15;
  auto z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace gamehub::base
