#include "hub/base/token_bucket.hpp"

#include <algorithm>
#include <chrono>

namespace gamehub::base {

std::optional<duration> token_bucket::take(const request_rate& rate, instant now) {
  if (const auto time = wait(rate, now)) return time;
  full_at_ = std::max(full_at_, now) + rate.each;
  return std::nullopt;
}

std::optional<duration> token_bucket::wait(const request_rate& rate, instant now) const {
  const auto time = std::max(full_at_, now) - now - rate.each * (rate.burst - 1);
  return time > duration::zero() ? std::optional{time} : std::nullopt;
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

std::optional<duration> bucket_table::wait(std::uint64_t hash, instant now) const {
  const auto set = cells_.begin() + static_cast<std::ptrdiff_t>(hash & (cells_.size() - ways));
  const auto end = set + ways;
  const auto at = std::find_if(set, end, [&](const cell& each) { return each.tag == hash; });
  return at == end ? std::nullopt : at->bucket.wait(rate_, now);
}

std::chrono::seconds retry_after(duration wait) {
  return std::max(std::chrono::ceil<std::chrono::seconds>(wait), std::chrono::seconds{1});
}

}  // namespace gamehub::base
