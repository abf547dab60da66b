// The sixteen bytes of an address of Asio's, by which everything else knows it. Any thread.
#pragma once

#include <boost/asio/ip/address.hpp>

#include "hub/core/moderation.hpp"

namespace gamehub::gateways::net {

inline address_bytes bytes_of(const boost::asio::ip::address& a) {
  namespace ip = boost::asio::ip;
  return (a.is_v4() ? ip::make_address_v6(ip::v4_mapped, a.to_v4()) : a.to_v6()).to_bytes();
}

}  // namespace gamehub::gateways::net
