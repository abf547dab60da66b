// Dispatching of a request: finds the route, checks the parameters, and answers it or passes it to
// the http_player that can. A plain function; called on the connection's loop.
#pragma once

#include "gateways/http/request.hpp"

#include <memory>

namespace gamehub::gateways::http {

class connection;
class loop_service;

// Handles one request, whose views are valid during the call only. connection::answer() is called
// immediately or later.
void dispatch(loop_service&, const std::shared_ptr<connection>& from, const request&);

}  // namespace gamehub::gateways::http
