#include "gateways/http/rate_limiter.hpp"

#include "hub/base/host_name.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::gateways::http {

namespace {

base::request_rate rate_of(std::uint32_t in_a_second) {
  const auto n = std::max<std::uint32_t>(1, in_a_second);
  return {std::chrono::duration_cast<base::duration>(std::chrono::seconds{1}) / n, 2 * n};
}

std::string host_of_url(std::string_view url) {
  const auto rest = base::text_after(url, "://").value_or(std::string_view{});
  return std::string{rest.substr(0, rest.find_first_of(":/"))};
}

}  // namespace

rate_limiter::limiter::limiter(std::uint32_t rate_given)
    : rate(rate_given), buckets(rate_of(rate_given), rate_given == 0 ? 8 : limits::http_buckets) {}

std::optional<error> rate_limiter::limiter::try_acquire(std::uint64_t hash, base::instant now) {
  if (rate == 0) return std::nullopt;
  const std::lock_guard lock{mutex};
  const auto wait = buckets.take(hash, now);
  return wait ? std::optional{rate_exceeded(*wait)} : std::nullopt;
}

rate_limiter::rate_limiter(rate_limiter_settings s, base::random_source& random)
    : setup_(std::move(s)),
      check_proxies_(!setup_.hosts.empty()),
      key_{random.next(), random.next()},
      clients_(setup_.client_rate) {
  if (auto own = host_of_url(setup_.public_url); base::is_host_pattern(own))
    setup_.hosts.push_back(std::move(own));
}

rate_limiter::origin rate_limiter::origin_of(const request& r) const {
  const auto from = http::origin_of(r, setup_.trusted_proxies);
  // A proxy on this machine that is not a trusted one speaks for clients from anywhere.
  const bool forwarded = !r.forwarded.empty() || !r.forwarded_for.empty() || !r.via.empty();
  const bool local = from.direct && base::is_loopback(from.address);
  if (local && forwarded && !base::contains(setup_.trusted_proxies, from.address) &&
      !unknown_proxy_.exchange(true) && setup_.on_unknown_proxy)
    setup_.on_unknown_proxy();
  return {from.address, local && !forwarded && !setup_.bound_loopback, !from.direct};
}

std::optional<error> rate_limiter::try_acquire(const origin& who, base::instant now) {
  if (bans(who.address)) return kept_out();
  if (who.exempt || setup_.addresses == nullptr) return std::nullopt;
  const auto wait = setup_.addresses->try_spend(address_limit::requests, who.address, now);
  return wait ? std::optional{rate_exceeded(*wait)} : std::nullopt;
}

std::optional<error> rate_limiter::try_acquire(const origin& who, const client_key& key,
                                               base::instant now) {
  if (who.exempt) return std::nullopt;
  base::endpoint as_address;
  as_address.address = key.bytes;
  return clients_.try_acquire(base::hash_of(as_address, key_), now);
}

void rate_limiter::charge(const origin& who, std::uint32_t requests, base::instant now) {
  if (!who.exempt && setup_.addresses != nullptr)
    setup_.addresses->charge(address_limit::requests, requests, who.address, now);
}

const std::string* rate_limiter::allowed_site(std::string_view site) const {
  const auto at = std::find(setup_.cors_origins.begin(), setup_.cors_origins.end(), site);
  return site.empty() || at == setup_.cors_origins.end() ? nullptr : &*at;
}

bool rate_limiter::is_foreign(const request& r) const {
  if (r.origin.empty() || allowed_site(r.origin) != nullptr) return false;
  const std::string_view own{setup_.public_url};
  if (own.starts_with(r.origin) && (own.size() == r.origin.size() || own[r.origin.size()] == '/'))
    return false;
  const auto host = base::text_after(r.origin, "://");
  return !host || base::lower(*host) != base::lower(r.host);
}

bool rate_limiter::is_misdirected(const request& r) const {
  // HTTP/1.0 has no Host.
  if (!setup_.check_host || r.host.empty()) return false;
  if (!check_proxies_ && base::contains(setup_.trusted_proxies, r.remote)) return false;
  return !base::is_own_host(r.host, setup_.hosts);
}

}  // namespace gamehub::gateways::http
