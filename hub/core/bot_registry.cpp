#include "hub/core/bot_registry.hpp"

namespace gamehub {

std::string_view to_string(bot_fault_code what) {
  switch (what) {
    case bot_fault_code::occupied: return "occupied";
    case bot_fault_code::out_of_bounds: return "out-of-bounds";
    case bot_fault_code::unparsable: return "unparsable";
    case bot_fault_code::timeout: return "timeout";
    case bot_fault_code::transport: return "transport";
  }
  return "transport";
}

}  // namespace gamehub
