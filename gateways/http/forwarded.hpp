// The origin of a request behind proxies: the right-most address that is not a trusted proxy.
// Everything to the left of it may be forged. Plain functions, any thread.
#pragma once

#include "gateways/http/request.hpp"
#include "hub/base/address.hpp"

#include <span>

namespace gamehub::gateways::http {

struct request_origin {
  base::endpoint address;
  // False if a proxy forwarded the request. Loopback is exempt from limits only for direct
  // requests, because behind a local proxy every client would look like loopback.
  bool direct = true;
};

// Returns the origin by Forwarded (RFC 7239) or X-Forwarded-For if the connection comes from a
// trusted proxy, else the remote address. A proxy that writes one of the fields may pass the other
// one on from its client: if both are present and differ, neither counts and the origin is the
// proxy. An entry that is hidden, unknown or malformed ends the search.
request_origin origin_of(const request&, std::span<const base::network> trusted);

}  // namespace gamehub::gateways::http
