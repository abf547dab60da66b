#include "hub/core/bot_registry.hpp"

#include "hub/base/utf8.hpp"
#include "hub/core/limits.hpp"

namespace gamehub {

bool acceptable_bot_name(std::string_view text) {
  return !text.empty() && text.size() <= limits::name_bytes_max && text.front() != ' ' &&
         text.back() != ' ' && base::utf8::all_of(text, [](char32_t c) {
           return !base::utf8::is_control(c) && !base::utf8::is_disguise(c);
         });
}

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
