// The WebSocket handshake (RFC 6455, section 4). A plain function, any thread.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/request.hpp"

#include <variant>

namespace gamehub::gateways::http {

// Returns the 101 response to a handshake, or why it is refused.
std::variant<response, error> accept_socket(const request&);

}  // namespace gamehub::gateways::http
