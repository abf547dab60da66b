// One call as an HTTP/1.1 request to exactly the bot's URL, with Content-Length, which simple bots
// need. Plain function, any thread.
#pragma once

#include "gateways/bots/url.hpp"
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
  bool keep_alive = false;  // else the bot closes the connection after its reply
};

// Returns the bytes of the request.
std::string call_bytes(const bot_url&, const call_content&);

}  // namespace gamehub::gateways::bots
