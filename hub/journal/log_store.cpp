#include "hub/journal/log_store.hpp"

#include "hub/journal/encoding.hpp"
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

std::set<std::string> engines_of(std::span<const log_batch::released_game> games) {
  std::set<std::string> all;
  for (const auto& g : games) {
    auto log = g.log;
    if (const auto header = take_header(log))
      all.insert(engine_name(header->engine, header->engine_version));
  }
  return all;
}

std::string to_lines(const std::set<std::string>& all) {
  std::string text;
  for (const auto& one : all) text += one + '\n';
  return text;
}

std::set<std::string> from_lines(std::string_view text) {
  std::set<std::string> all;
  while (!text.empty()) {
    const auto end = text.find('\n');
    all.emplace(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return all;
}

append_result append_surely(log_store& to, const log_batch& b) {
  auto result = to.append(b);
  return result.what == append_outcome::present ? to.confirm() : result;
}

}  // namespace gamehub::journal
