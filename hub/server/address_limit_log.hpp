// Logs which addresses reach a limit: at most one line of an address and limit in
// limits::address_limit_logged_each, and a few a second of all. Metrics count each refusal. Any
// thread.
#pragma once

#include "hub/base/endpoint.hpp"
#include "hub/base/time.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/core/address_ledger.hpp"

#include <mutex>

namespace gamehub::server {

class address_limit_log {
 public:
  explicit address_limit_log(const base::hash_key&);

  void on_refusal(address_limit, const base::address_bytes&);
  // True if a refusal has a line now.
  bool is_due(address_limit, const base::address_bytes&, base::instant now);

 private:
  const base::hash_key key_;
  std::mutex mutex_;
  base::bucket_table of_address_;
  base::token_bucket of_all_;
};

}  // namespace gamehub::server
