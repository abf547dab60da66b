// Whose request it is where proxies stand between: the right-most address that no trusted proxy
// has, since everything to the left of it may be made up. Plain functions, any thread.
#pragma once

#include <span>

#include "gateways/http/address.hpp"
#include "gateways/http/request.hpp"

namespace gamehub::gateways::http {

struct request_origin {
  endpoint address;
  // Nobody stands between, as far as can be told. Only then may loopback be exempt from limits: a
  // proxy on this machine makes everybody look as near.
  bool direct = true;
};

// Forwarded (RFC 7239) or X-Forwarded-For, if the connection is a trusted proxy's: else nothing it
// says counts. A proxy that writes one of them may pass the other on as its client made it up:
// where both are there and differ, neither counts, and the request is its proxy's. An entry that is
// hidden, unknown or no address is where the trail ends.
request_origin origin_of(const request&, std::span<const network> trusted);

}  // namespace gamehub::gateways::http
