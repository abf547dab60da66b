#include "gateways/net/codec_listener.hpp"
#include "gateways/opcodes/opcodes.hpp"

namespace gamehub::gateways::opcodes {

std::unique_ptr<net::listener> make_listener(const net::listener_context& context) {
  return net::make_codec_listener(context, describe().make_codec);
}

}  // namespace gamehub::gateways::opcodes
