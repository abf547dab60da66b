// A call as it goes over the wire: one request of HTTP/1.1, to exactly the bot's URL and with the
// length of its body said, which bots of few words need. Plain function, any thread.
#pragma once

#include <string>
#include <string_view>

#include "gateways/jsonrpc/url.hpp"
#include "hub/core/ids.hpp"

namespace gamehub::gateways::bots {

struct call_content {
  std::string_view body;
  // Told to the bot as W3C Trace Context has it, so that its log and the hub's can be joined.
  trace_id trace;
  span_id span;
  bool keep_alive = false;  // else the bot closes the connection when it has answered
};

std::string call_bytes(const bot_url&, const call_content&);

}  // namespace gamehub::gateways::jsonrpc
