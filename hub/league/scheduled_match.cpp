#include "hub/league/scheduled_match.hpp"

namespace gamehub::league {

std::string_view to_string(bot_state s) {
  switch (s) {
    case bot_state::registered: return "registered";
    case bot_state::online: return "online";
    case bot_state::resuming: return "resuming";
    case bot_state::faulty: return "faulty";
  }
  return "";
}

bool has_result(end_reason why) {
  switch (why) {
    case end_reason::rules:
    case end_reason::left:
    case end_reason::clock: return true;
    case end_reason::drained:
    case end_reason::operator_:
    case end_reason::failed:
    case end_reason::interrupted: return false;
  }
  return false;
}

std::string_view to_string(loss_reason r) {
  switch (r) {
    case loss_reason::rules: return "rules";
    case loss_reason::timeout: return "timeout";
    case loss_reason::forfeit: return "forfeit";
    case loss_reason::absent: return "absent";
  }
  return "";
}

}  // namespace gamehub::league
