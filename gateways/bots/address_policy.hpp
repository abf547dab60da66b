// The addresses that the hub may call. The owner of a bot chooses its URL, so by default addresses
// of the hub's own network are refused. An IPv4 address inside an IPv6 address is checked as IPv4.
// Immutable, any thread.
#pragma once

#include "hub/base/address.hpp"
#include "hub/base/endpoint.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::gateways::bots {

class address_policy {
 public:
  // Addresses of `allowed` may be called in any case.
  explicit address_policy(std::vector<base::network> allowed = {}) : allowed_(std::move(allowed)) {}

  // Returns why the address is not called, as the end of "that is …", such as "a private address",
  // or nothing if it may be called.
  std::optional<std::string_view> why_not(const base::endpoint&) const;

 private:
  std::vector<base::network> allowed_;
};

}  // namespace gamehub::gateways::bots
