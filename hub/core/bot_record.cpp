#include "hub/core/bot_record.hpp"

namespace gamehub {

std::string_view to_string(bot_state s) {
  switch (s) {
    case bot_state::registered: return "registered";
    case bot_state::online: return "online";
    case bot_state::resuming: return "resuming";
    case bot_state::faulty: return "faulty";
  }
  return "";
}

std::string_view to_string(bot_error_code what) {
  switch (what) {
    case bot_error_code::occupied: return "occupied";
    case bot_error_code::out_of_bounds: return "out-of-bounds";
    case bot_error_code::unparsable: return "unparsable";
    case bot_error_code::timeout: return "timeout";
    case bot_error_code::transport: return "transport";
  }
  return "transport";
}

}  // namespace gamehub
