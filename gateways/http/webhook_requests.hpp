// The requests about a client's webhook, which the webhook_registry answers. Plain functions; the
// loop of the given service.
#pragma once

#include "gateways/http/client_id.hpp"
#include "gateways/http/client_request.hpp"
#include "hub/core/webhook_registry.hpp"

namespace gamehub::gateways::http {

class loop_service;

// Registers the webhook of the request for this client.
void set_webhook(loop_service&, const client_key&, client_request&);

// Answer with the webhook of this client; the second one removes it.
void show_webhook(loop_service&, const client_key&, const response_handle&);
void remove_webhook(loop_service&, const client_key&, const response_handle&);

}  // namespace gamehub::gateways::http
