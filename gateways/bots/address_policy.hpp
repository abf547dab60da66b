// Which addresses the hub calls: what a bot's URL leads to is chosen by whoever registers it, so
// that by default it may be none of the hub's own network. An IPv4 address that is wrapped in an
// IPv6 one is judged as what it is. A value that does not change, any thread.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "gateways/endpoint.hpp"
#include "gateways/http/address.hpp"

namespace gamehub::gateways::bots {

class address_policy {
 public:
  // These are called whatever else is said of them.
  explicit address_policy(std::vector<http::network> allowed = {}) : allowed_(std::move(allowed)) {}

  // Why the address is not called, as the end of "that is …", such as "a private address"; nothing
  // if it is.
  std::optional<std::string_view> why_not(const endpoint&) const;

 private:
  std::vector<http::network> allowed_;
};

}  // namespace gamehub::gateways::jsonrpc
