// Dispatching of a request: finds the route, checks the parameters, and answers it or passes it to
// the http_player that can, or to another hub of the cluster. Plain functions; called on the loop
// of its responder.
#pragma once

#include "gateways/http/request.hpp"
#include "gateways/http/request_relay.hpp"

#include <memory>

namespace gamehub::gateways::http {

class connection;
class loop_service;

// Handles one request, whose views are valid during the call only. connection::answer() is called
// immediately or later.
void dispatch(loop_service&, const std::shared_ptr<connection>& from, const request&);

// Handles a request that was kept once more, after another hub, or without one.
void dispatch_again(const std::shared_ptr<kept_request>&);

// Handles a request that another hub has read and charged. It is not passed on again.
void dispatch_relayed(loop_service&, const std::shared_ptr<responder>& from, member_id reader,
                      const gamehub::relay::web_request&);

}  // namespace gamehub::gateways::http
