// How often a client may ask: a bucket of tokens that fills with time, in eight bytes, and a table
// of them whose size is fixed when it is made. Time is passed in. Values of
// one thread: a hub of several loops has one table a loop, or a lock around one.
#pragma once

#include "hub/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gamehub::base {

// One token comes back in `each`; `burst` of them fit. Requires: both positive, and their product
// is a duration.
struct request_rate {
  duration each{};
  std::uint32_t burst = 1;
};

// The generic cell rate algorithm: all there is to know is when the bucket will be full again.
class token_bucket {
 public:
  // Takes one token, or takes none and says how long there will be none.
  std::optional<duration> take(const request_rate&, instant now);
  // How long there will be no token; nothing if there is one.
  std::optional<duration> wait(const request_rate&, instant now) const;
  // Takes this many tokens, also those that come back only later.
  void charge(const request_rate&, std::uint32_t tokens, instant now);

  // A bucket that is full is as good as a new one.
  instant full_at() const { return full_at_; }

 private:
  instant full_at_ = instant::min();
};

// Buckets by hash, in sets of eight: a newcomer to a set gets the place of the one that is full, or
// will be first. So what is forgotten is the least that anybody of the set owes, and who has
// emptied a bucket can't have it forgotten by bringing others along.
class bucket_table {
 public:
  // Requires: buckets is a power of two, at least eight.
  explicit bucket_table(request_rate, std::size_t buckets);

  // These are as those of token_bucket. Requires: the hash is of a key that clients don't know, so
  // that no client can choose the set.
  std::optional<duration> take(std::uint64_t hash, instant now);
  std::optional<duration> wait(std::uint64_t hash, instant now) const;
  void charge(std::uint64_t hash, std::uint32_t tokens, instant now);

 private:
  static constexpr std::size_t ways = 8;

  struct cell {
    std::uint64_t tag = 0;
    token_bucket bucket;
  };

  token_bucket& bucket_of(std::uint64_t hash);

  request_rate rate_;
  std::vector<cell> cells_;
};

// For Retry-After: whole seconds, never zero, never too few.
std::chrono::seconds retry_after(duration wait);

}  // namespace gamehub::base
