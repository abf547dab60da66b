// The URL by which a bot is called, taken apart once when it registers. Everything that could be
// read in two ways is refused, since whoever registers it chooses what the hub connects to. Plain
// values and functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "gateways/endpoint.hpp"

namespace gamehub::gateways::bots {

struct bot_url {
  bool tls = false;
  std::string host;  // a name in lower case, or an address without brackets
  std::uint16_t port = 0;
  std::string target;               // path and query, as they came; at least "/"
  std::string field;                // for Host: the port is there where it is not the usual one
  std::optional<endpoint> address;  // of a host that is one, with the port

  // One spelling for each place that is called.
  std::string key() const { return field + target; }
};

// Or why it can't be called: a sentence for its author without its end.
std::variant<bot_url, std::string> read_url(std::string_view text);

}  // namespace gamehub::gateways::jsonrpc
