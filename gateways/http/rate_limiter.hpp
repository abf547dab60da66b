// How often an address or a client may ask, over all loops, and which other sites' pages may. Made
// with the servers; any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/http/address.hpp"
#include "gateways/http/client_id.hpp"
#include "gateways/http/errors.hpp"
#include "gateways/http/forwarded.hpp"
#include "gateways/http/token_bucket.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/moderation.hpp"

namespace gamehub::gateways::http::server {

struct rate_limiter_settings {
  // In a second; twice as many at once. Zero: as many as they like.
  std::uint32_t address_rate = 0, client_rate = 0;
  bool bound_loopback = false;  // both hold for loopback, too
  std::vector<network> trusted_proxies;
  std::vector<std::string> cors_origins;
  const ban_list* rules = nullptr;  // outlives the gates; none: nobody is kept out
};

class rate_limiter {
 public:
  rate_limiter(rate_limiter_settings, random_source&);

  // Whose request it is, and whether nobody bounds it.
  struct origin {
    endpoint address;
    bool exempt = false;
  };
  origin origin_of(const request&) const;

  bool bans(const endpoint& e) const {
    return setup_.rules != nullptr && setup_.rules->bans(e.address);
  }

  // Nothing: it may, and that counts.
  std::optional<error> admit(const origin&, instant now);
  std::optional<error> admit(const origin&, const client_key&, instant now);

  // The spelling that the answer repeats, if pages of that site may read it.
  const std::string* allowed_site(std::string_view site) const;

 private:
  struct gate {
    explicit gate(std::uint32_t rate);
    std::optional<error> admit(std::uint64_t hash, instant now);

    std::uint32_t rate;
    std::mutex mutex;
    bucket_table buckets;
  };

  rate_limiter_settings setup_;
  hash_key key_;
  gate addresses_, clients_;
};

}  // namespace gamehub::gateways::http::server
