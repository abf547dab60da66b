#include "hub/base/token_bucket.hpp"

#include <algorithm>
#include <chrono>

namespace gamehub::base {

std::optional<duration> token_bucket::take(const request_rate& rate, instant now) {
  const auto full_at = std::max(full_at_, now);
  const auto wait = full_at - now - rate.each * (rate.burst - 1);
  if (wait > duration::zero()) return wait;
  full_at_ = full_at + rate.each;
  return std::nullopt;
}

bucket_table::bucket_table(request_rate rate, std::size_t buckets) : rate_(rate), cells_(buckets) {}

std::optional<duration> bucket_table::take(std::uint64_t hash, instant now) {
  const auto set = cells_.begin() + static_cast<std::ptrdiff_t>(hash & (cells_.size() - ways));
  const auto end = set + ways;
  auto at = std::find_if(set, end, [&](const cell& each) { return each.tag == hash; });
  if (at == end) {
    at = std::min_element(set, end, [](const cell& a, const cell& b) {
      return a.bucket.full_at() < b.bucket.full_at();
    });
    *at = {hash, {}};
  }
  return at->bucket.take(rate_, now);
}

std::chrono::seconds retry_after(duration wait) {
  return std::max(std::chrono::ceil<std::chrono::seconds>(wait), std::chrono::seconds{1});
}

}  // namespace gamehub::base
