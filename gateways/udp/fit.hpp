// Which engines the UDP wire can carry. A plain function, any thread.
#pragma once

#include <optional>
#include <string>

#include "hub/core/wire.hpp"

namespace gamehub::gateways::udp {

// As protocol::unfit: the end of the sentence "X can't be played over udp: it …", or nothing.
std::optional<std::string> unfit(const engine_traits&);

}  // namespace gamehub::gateways::udp
