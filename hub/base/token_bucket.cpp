#include "hub/base/token_bucket.hpp"

#include <algorithm>
#include <chrono>

namespace gamehub::base {

std::optional<duration> token_bucket::wait(const request_rate& rate, instant now) const {
  const auto wait = std::max(full_at_, now) - now - rate.each * (rate.burst - 1);
  return wait > duration::zero() ? std::optional{wait} : std::nullopt;
}

void token_bucket::charge(const request_rate& rate, std::uint32_t tokens, instant now) {
  full_at_ = std::max(full_at_, now) + rate.each * tokens;
}

std::optional<duration> token_bucket::take(const request_rate& rate, instant now) {
  const auto none = wait(rate, now);
  if (!none) charge(rate, 1, now);
  return none;
}

bucket_table::bucket_table(request_rate rate, std::size_t buckets) : rate_(rate), cells_(buckets) {}

token_bucket& bucket_table::bucket_of(std::uint64_t hash) {
  const auto set = cells_.begin() + static_cast<std::ptrdiff_t>(hash & (cells_.size() - ways));
  const auto end = set + ways;
  auto at = std::find_if(set, end, [&](const cell& each) { return each.tag == hash; });
  if (at == end) {
    at = std::min_element(set, end, [](const cell& a, const cell& b) {
      return a.bucket.full_at() < b.bucket.full_at();
    });
    *at = {hash, {}};
  }
  return at->bucket;
}

std::optional<duration> bucket_table::take(std::uint64_t hash, instant now) {
  return bucket_of(hash).take(rate_, now);
}

void bucket_table::charge(std::uint64_t hash, std::uint32_t tokens, instant now) {
  bucket_of(hash).charge(rate_, tokens, now);
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
