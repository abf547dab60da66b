// Where a bot is called: its URL with the addresses that were found and judged once, when it
// registered, so that a name which leads elsewhere later leads nobody there. A value that does not
// change, any thread.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <vector>

#include "gateways/jsonrpc/url.hpp"

namespace gamehub::gateways::jsonrpc::server {

struct place {
  bot_url url;
  std::vector<boost::asio::ip::tcp::endpoint> addresses;  // in the order of trying
};

}  // namespace gamehub::gateways::jsonrpc::server
