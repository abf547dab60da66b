#include "hub/league/logged_bots.hpp"

#include "hub/core/wire.hpp"

#include <algorithm>

namespace gamehub::league {

match_outcome outcome_of(const journal::game_log& log) {
  if (log.records.empty() || log.records.back().what != journal::record::kind::ended)
    return {true, {}};
  const auto& end = log.records.back();
  match_end how{end.why, {}};
  if (end.seat >= 0) how.winner = end.seat;
  return {false, how};
}

std::optional<journal_game> game_of_bots(const journal::game_log& log) {
  journal_game out;
  out.id = log.header.id;
  out.opened = log.header.opened;
  std::size_t bots = 0;
  for (const auto& r : log.records) {
    if (r.what != journal::record::kind::joined) continue;
    if (r.wire != bot_wire || r.seat < 0 || r.seat > 1) return std::nullopt;
    out.names.at(static_cast<std::size_t>(r.seat)) = r.text;
    ++bots;
  }
  if (bots != 2) return std::nullopt;
  out.outcome = outcome_of(log);
  return out;
}

}  // namespace gamehub::league
