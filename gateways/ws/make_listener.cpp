#include "gateways/net/codec_listener.hpp"
#include "gateways/ws/ws.hpp"

namespace gamehub::gateways::ws {

std::unique_ptr<net::listener> make_listener(const net::listener_context& context) {
  return net::make_upgrade_listener(context, describe().make_codec);
}

}  // namespace gamehub::gateways::ws
