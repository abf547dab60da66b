#include "hub/core/scheduled_match.hpp"

namespace gamehub {

std::string_view to_string(loss_reason r) {
  switch (r) {
    case loss_reason::rules: return "rules";
    case loss_reason::timeout: return "timeout";
    case loss_reason::forfeit: return "forfeit";
    case loss_reason::absent: return "absent";
  }
  return "";
}

}  // namespace gamehub
