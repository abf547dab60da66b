#include "hub/core/trace.hpp"

#include "hub/base/text.hpp"

namespace gamehub {

std::string text_of(trace_id trace) {
  std::string out;
  base::append_hex(trace.value, out);
  return out;
}

std::string traceparent(trace_id trace, span_id call) {
  std::string out = "00-0000000000000000";
  base::append_hex(trace.value, out);
  out += '-';
  base::append_hex(call.value, out);
  // The flag "sampled": the caller may have recorded the trace.
  out += "-01";
  return out;
}

}  // namespace gamehub
