#include "hub/core/trace.hpp"

#include <cstdint>
#include <string_view>

namespace gamehub {
namespace {

void append_hex(std::uint64_t number, std::string& to) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (int shift = 60; shift >= 0; shift -= 4) to += digits[(number >> shift) & 0xf];
}

}  // namespace

std::string text_of(trace_id trace) {
  std::string out;
  append_hex(trace.value, out);
  return out;
}

std::string traceparent(trace_id trace, span_id call) {
  std::string out = "00-0000000000000000";
  append_hex(trace.value, out);
  out += '-';
  append_hex(call.value, out);
  // Whoever asks whether it was recorded: it may have been.
  out += "-01";
  return out;
}

}  // namespace gamehub
