#include "hub/league/match_outcome.hpp"

namespace gamehub::league {

bool has_result(end_reason why) {
  switch (why) {
    case end_reason::rules:
    case end_reason::agreed:
    case end_reason::left:
    case end_reason::clock: return true;
    case end_reason::drained:
    case end_reason::operator_:
    case end_reason::failed:
    case end_reason::interrupted: return false;
  }
  return false;
}

}  // namespace gamehub::league
