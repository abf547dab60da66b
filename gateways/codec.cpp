#include "gateways/codec.hpp"

namespace gamehub::gateways {

std::string_view to_string(protocol_error e) {
  switch (e) {
    case protocol_error::malformed: return "malformed";
    case protocol_error::unknown_type: return "unknown-type";
    case protocol_error::too_long: return "too-long";
  }
  return "unknown";
}

std::string_view word_of(const close_cause& cause) {
  return cause.wrong ? to_string(*cause.wrong) : to_string(cause.why);
}

}  // namespace gamehub::gateways
