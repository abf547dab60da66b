#include "gateways/net/datagram_port.hpp"
#include "gateways/udp/udp.hpp"

namespace gamehub::gateways::udp {

std::unique_ptr<net::listener> make_listener(const net::listener_context& context) {
  return net::make_datagram_listener(context, make_datagrams);
}

}  // namespace gamehub::gateways::udp
