#include "hub/journal/log_store.hpp"

#include "hub/journal/shared_log.hpp"

namespace gamehub::journal {

std::string_view to_string(append_outcome o) {
  switch (o) {
    case append_outcome::written: return "written";
    case append_outcome::present: return "present";
    case append_outcome::fenced: return "fenced";
    case append_outcome::conflict: return "conflict";
    case append_outcome::unknown: return "unknown";
  }
  return "";
}

std::string_view to_string(adoption a) {
  switch (a) {
    case adoption::adopted: return "adopted";
    case adoption::taken: return "taken";
    case adoption::absent: return "absent";
    case adoption::fenced: return "fenced";
    case adoption::unknown: return "unknown";
  }
  return "";
}

std::string_view to_string(id_kind k) {
  switch (k) {
    case id_kind::games: return "games";
    case id_kind::players: return "players";
  }
  return "";
}

append_result append_surely(log_store& to, const log_batch& b) {
  auto result = to.append(b);
  return result.what == append_outcome::present ? to.confirm() : result;
}

}  // namespace gamehub::journal
