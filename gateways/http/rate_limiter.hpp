// Request rates of addresses and clients over all loops, and the sites whose pages may read
// responses (CORS). Made with the servers; any thread.
#pragma once

#include "gateways/http/client_id.hpp"
#include "gateways/http/errors.hpp"
#include "gateways/http/forwarded.hpp"
#include "gateways/http/http_limits.hpp"
#include "hub/base/address.hpp"
#include "hub/base/random.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/core/ban_list.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {

struct rate_limiter_settings {
  address_ledger* addresses = nullptr;  // outlives the limiter; null: no limits of addresses
  // Requests of a client per second, with a burst of twice as many. Zero: no limit.
  std::uint32_t client_rate = 0;
  bool bound_loopback = false;  // loopback is limited, too
  std::vector<base::network> trusted_proxies;
  std::vector<std::string> cors_origins;
  std::string public_url;
  bool check_host = false;  // requests are refused if their Host is not one of this hub
  std::vector<std::string>
      hosts;  // names of this hub; empty: those of trusted proxies are not checked
  // Called at the first request that a proxy on this machine forwards without being trusted.
  std::function<void()> on_unknown_proxy;
  const ban_list* rules = nullptr;  // outlives the limiter; null: nothing is banned
};

class rate_limiter {
 public:
  rate_limiter(rate_limiter_settings, base::random_source&);

  // The origin of a request: the client, or the address that a trusted proxy names; and whether it
  // is exempt from limits.
  struct origin {
    base::endpoint address;
    bool exempt = false;
    bool by_proxy = false;
  };
  origin origin_of(const request&) const;

  // True if the address is banned.
  bool bans(const base::endpoint& e) const {
    return setup_.rules != nullptr && setup_.rules->bans(e.address);
  }

  // Count one request of an address or a client; return an error if it is above the rate.
  std::optional<error> try_acquire(const origin&, base::instant now);
  std::optional<error> try_acquire(const origin&, const client_key&, base::instant now);
  // Counts this many requests more of an address, for one that cost as much.
  void charge(const origin&, std::uint32_t requests, base::instant now);

  // Returns the site as the response repeats it if its pages may read responses, else null.
  const std::string* allowed_site(std::string_view site) const;
  // True for a request of a page that is not from this hub, by its host or public URL, and not from
  // an allowed site. Browsers send such requests of any page, with the address of its visitor.
  bool is_foreign(const request&) const;
  // True for a request whose Host is not one of this hub, as a page after DNS rebinding sends it.
  bool is_misdirected(const request&) const;

 private:
  struct limiter {
    explicit limiter(std::uint32_t rate);
    std::optional<error> try_acquire(std::uint64_t hash, base::instant now);

    std::uint32_t rate;
    std::mutex mutex;
    base::bucket_table buckets;
  };

  rate_limiter_settings setup_;
  bool check_proxies_;  // also requests of trusted proxies are refused for their Host
  base::hash_key key_;
  mutable std::atomic<bool> unknown_proxy_{false};  // on_unknown_proxy was called
  limiter clients_;
};

}  // namespace gamehub::gateways::http
