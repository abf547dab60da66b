#include "gateways/net/address.hpp"

#include <algorithm>
#include <cstring>

namespace gamehub::gateways::net {

namespace ip = boost::asio::ip;

namespace {

constexpr base::address_bytes ipv4_any{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
constexpr std::size_t ipv4_offset = 12;

}  // namespace

base::endpoint endpoint_of(const ip::address& a, std::uint16_t port) {
  const auto six = a.is_v4() ? ip::make_address_v6(ip::v4_mapped, a.to_v4()) : a.to_v6();
  return {six.to_bytes(), static_cast<std::uint32_t>(six.scope_id()), port};
}

ip::address address_of(const base::endpoint& e) {
  const ip::address_v6 six{e.address, e.scope};
  if (base::is_ipv4(e)) return ip::make_address_v4(ip::v4_mapped, six);
  return six;
}

base::endpoint endpoint_of(const socket_address& a) {
  base::endpoint e;
  if (a.any.sa_family == AF_INET6) {
    std::memcpy(e.address.data(), &a.six.sin6_addr, e.address.size());
    e.scope = a.six.sin6_scope_id;
    e.port = ntohs(a.six.sin6_port);
  } else {
    e.address = ipv4_any;
    std::memcpy(e.address.data() + ipv4_offset, &a.four.sin_addr, sizeof a.four.sin_addr);
    e.port = ntohs(a.four.sin_port);
  }
  return e;
}

socklen_t write_address(const base::endpoint& e, bool six, socket_address& to) {
  if (six) {
    to.six = {};
    to.six.sin6_family = AF_INET6;
    to.six.sin6_port = htons(e.port);
    std::memcpy(&to.six.sin6_addr, e.address.data(), e.address.size());
    to.six.sin6_scope_id = e.scope;
    return sizeof to.six;
  }
  to.four = {};
  to.four.sin_family = AF_INET;
  to.four.sin_port = htons(e.port);
  std::memcpy(&to.four.sin_addr, e.address.data() + ipv4_offset, sizeof to.four.sin_addr);
  return sizeof to.four;
}

}  // namespace gamehub::gateways::net
