// The wrong operator tokens of each sender (an IPv4 address, or a /64 of IPv6): how many are
// compared, and which are logged. Owned by the admin server, used on its thread.
#pragma once

#include "hub/base/endpoint.hpp"
#include "hub/base/random.hpp"
#include "hub/base/token_bucket.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace gamehub::admin {

// Wrong tokens of one sender: at once, and in a second. An answer to a wrong token waits, also to
// one that is not compared.
inline constexpr std::uint32_t guesses_burst = 20;
inline constexpr std::uint32_t guesses_a_second = 20;
inline constexpr std::chrono::milliseconds wrong_token_pause{250};

class guess_limiter {
 public:
  explicit guess_limiter(base::random_source&);

  // Returns how long no token of this sender is compared; nothing: the next one is.
  std::optional<base::duration> wait(const base::endpoint& from, base::instant now) const;

  // Counts a wrong token. If it is to be logged, returns how many were not since the previous one
  // that was: one line a minute of each sender, and ten a minute of all.
  std::optional<std::uint64_t> add(const base::endpoint& from, base::instant now);

 private:
  base::hash_key key_;
  base::bucket_table guesses_, lines_;
  base::token_bucket all_lines_;
  std::uint64_t left_out_ = 0;
};

}  // namespace gamehub::admin
