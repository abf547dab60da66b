// Logs which addresses reach a limit or violate a protocol: at most one line of an address and
// cause in limits::address_logged_each, and a few a second of all. Metrics count each. Nothing that
// a client sent is logged. Owned by the composition; any thread.
#pragma once

#include "gateways/codec.hpp"
#include "hub/base/endpoint.hpp"
#include "hub/base/time.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/core/address_ledger.hpp"

#include <cstdint>
#include <mutex>
#include <string_view>

namespace gamehub::server {

class address_log {
 public:
  explicit address_log(const base::hash_key& key) : limits_(key), errors_(key) {}

  // At level `warning`.
  void on_refusal(address_limit, const base::address_bytes&);
  // At level `debug`. The number of the protocol is its index in metrics.
  void on_protocol_error(std::uint16_t number, std::string_view protocol, gateways::protocol_error,
                         const base::address_bytes&);

  // Decides which lines are written. A value with a lock.
  class sampler {
   public:
    explicit sampler(const base::hash_key&);
    // True if the cause, any number, has a line of this address now.
    bool is_due(std::uint16_t cause, const base::address_bytes&, base::instant now);

   private:
    const base::hash_key key_;
    std::mutex mutex_;
    base::bucket_table of_address_;
    base::token_bucket of_all_;
  };

 private:
  sampler limits_, errors_;
};

}  // namespace gamehub::server
