// Traces as text. What a client asks for has one trace all through the hub, and where the hub asks
// a bot for a move, on its way there and back, too. Plain functions, any thread.
#pragma once

#include <string>

#include "hub/core/ids.hpp"

namespace gamehub {

// As logs have it: 16 hexadecimal digits.
std::string text_of(trace_id);

// The value of the field `traceparent` of a request (W3C Trace Context, level 1): the trace, and
// under it this one call. Ours are half as long as those there, and padded with zeros as it asks.
// Requires: both are some.
std::string traceparent(trace_id, span_id call);

}  // namespace gamehub
