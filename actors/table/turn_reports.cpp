#include "actors/table/turn_reports.hpp"

#include <utility>

namespace gamehub::actors::table {

using journal::record;

turn_reports::turn_reports(const std::vector<std::string>& players) {
  for (const auto& each : players) seats_.push_back({each});
}

std::vector<std::string> turn_reports::players_of(std::span<const record> log) {
  std::vector<std::string> out;
  for (auto& each : journal::seats_of(log)) out.push_back(std::move(each.secret));
  return out;
}

void turn_reports::add(std::span<const record> records) {
  for (const auto& each : records) {
    if (journal::begins_turn(each.what)) since_ = each.at;
    if (each.what == record::kind::moved && each.seat >= 0)
      seats_[static_cast<std::size_t>(each.seat)].turn = each.number;
    if (each.what == record::kind::opened || each.what == record::kind::taken_back)
      for (auto& s : seats_) s.turn = each.number;
  }
}

seat_set turn_reports::seats() const {
  seat_set out = 0;
  for (std::size_t i = 0; i < seats_.size(); ++i)
    if (!seats_[i].player.empty()) out |= only(static_cast<seat_index>(i));
  return out;
}

turn_reports::change turn_reports::update(seat_set awaited, seat_set away) {
  change out;
  const auto waiting = awaited & away & seats();
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    auto& s = seats_[i];
    const auto seat = only(static_cast<seat_index>(i));
    const auto now = (waiting & seat) != 0 ? s.turn : 0;
    if (now == s.reported) continue;
    (now != 0 ? out.begun : out.over) |= seat;
    s.reported = now;
  }
  return out;
}

}  // namespace gamehub::actors::table
