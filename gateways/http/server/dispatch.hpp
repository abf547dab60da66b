// What becomes of a request: it is routed and checked, then answered at once or handed to whoever
// can answer it. A plain function; used on the connection's loop.
#pragma once

#include <memory>

#include "gateways/http/request.hpp"

namespace gamehub::gateways::http::server {

class connection;
class service;

// The request's views need be good during the call alone. Its answer comes by answer(), here or
// later.
void dispatch(service&, const std::shared_ptr<connection>& from, const request&);

}  // namespace gamehub::gateways::http::server
