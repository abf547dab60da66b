// The address where the links of a member listen, as text: "10.0.0.7:7070", "[::1]:7070". It is
// numeric, so that no look-up delays a link. Plain functions, any thread.
#pragma once

#include "hub/base/endpoint.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gamehub::link {

// Nothing if it is no numeric address with a port from 1 to 65535.
std::optional<base::endpoint> read_peer_address(std::string_view);

std::string peer_address_text(const base::endpoint&);

}  // namespace gamehub::link
