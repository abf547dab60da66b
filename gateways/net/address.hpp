// Conversions between addresses of Asio or the system and hub/base, which has one form for IPv4 and
// IPv6. Plain functions, any thread.
#pragma once

#include "hub/base/endpoint.hpp"

#include <boost/asio/ip/address.hpp>

#include <cstdint>
#include <netinet/in.h>

namespace gamehub::gateways::net {

// Returns the endpoint of an Asio address; IPv4 becomes ::ffff:a.b.c.d.
base::endpoint endpoint_of(const boost::asio::ip::address&, std::uint16_t port = 0);

// Returns the Asio address of an endpoint; ::ffff:a.b.c.d becomes IPv4.
boost::asio::ip::address address_of(const base::endpoint&);

// A socket address of either family.
union socket_address {
  sockaddr any;
  sockaddr_in four;
  sockaddr_in6 six;
};

// Returns the endpoint of a system address.
base::endpoint endpoint_of(const socket_address&);

// Writes the address in the family of the socket: an IPv6 socket has IPv4 addresses as
// ::ffff:a.b.c.d. Returns its size.
socklen_t write_address(const base::endpoint&, bool six, socket_address&);

}  // namespace gamehub::gateways::net
