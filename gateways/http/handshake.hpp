// How a request becomes a WebSocket (RFC 6455, section 4). A plain function, any thread.
#pragma once

#include <variant>

#include "gateways/http/errors.hpp"
#include "gateways/http/request.hpp"

namespace gamehub::gateways::http::server {

// The answer with which it does, or why it does not.
std::variant<response, error> accept_socket(const request&);

}  // namespace gamehub::gateways::http::server
