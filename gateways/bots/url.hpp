// The URL of a bot or a webhook, parsed when it registers. Every ambiguous URL is refused, because
// a stranger chooses what the hub connects to. Plain values and functions, any thread.
#pragma once

#include "hub/base/endpoint.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::gateways::bots {

struct bot_url {
  bool tls = false;
  std::string host;  // a name in lower case, or an address without brackets
  std::uint16_t port = 0;
  std::string target;                     // path and query as given; at least "/"
  std::string field;                      // the Host field: with the port unless it is the default
  std::optional<base::endpoint> address;  // the address, with the port, if the host is an address

  // Returns one normalized text for each endpoint.
  std::string key() const { return field + target; }
};

// Parses a URL. Returns an error text for its author without a full stop if it cannot be called;
// the text begins with `subject`.
std::variant<bot_url, std::string> read_url(std::string_view text,
                                            std::string_view subject = "The rpcendpoint");

}  // namespace gamehub::gateways::bots
