#include "gateways/net/codec_listener.hpp"
#include "gateways/turns/turns.hpp"

namespace gamehub::gateways::turns {

std::unique_ptr<net::listener> make_listener(const net::listener_context& context) {
  return net::make_codec_listener(context, describe().make_codec);
}

}  // namespace gamehub::gateways::turns
