// Text forms of trace ids. An intent has one trace in the whole hub, also in the calls to bots that
// it causes. Plain functions; any thread.
#pragma once

#include "hub/core/ids.hpp"

#include <string>

namespace gamehub {

// Returns the form of the log: 16 hexadecimal digits.
std::string text_of(trace_id);

// Returns the value of the request header `traceparent` (W3C Trace Context, level 1) for one call
// of a trace. The ids of the hub have half the length of the standard's and are padded with zeros.
// Requires: neither id is zero.
std::string traceparent(trace_id, span_id call);

}  // namespace gamehub
