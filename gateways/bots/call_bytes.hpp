// One call as an HTTP/1.1 request to exactly the bot's URL, with Content-Length, which simple bots
// need. Plain function, any thread.
#pragma once

#include "gateways/bots/url.hpp"
#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"

#include <string>
#include <string_view>

namespace gamehub::gateways::bots {

struct call_content {
  std::string_view body;
  // Sent as the traceparent field (W3C Trace Context), so that the bot's log and the hub's log can
  // be joined.
  trace_id trace;
  span_id span;
  bool keep_alive = false;     // else the bot closes the connection after its reply
  std::string signature = {};  // from signature_of(); empty: the call is not signed
};

// Returns the field Gamehub-Signature, by which a bot can tell that a call comes from its hub: the
// time, and the HMAC-SHA-256 of the time, a full stop and the body, by the secret of the
// registration. The time lets the bot refuse recorded calls.
std::string signature_of(std::string_view secret, base::wall_time, std::string_view body);

// Returns the bytes of the request.
std::string call_bytes(const bot_url&, const call_content&);

}  // namespace gamehub::gateways::bots
