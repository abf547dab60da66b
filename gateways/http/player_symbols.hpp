// What the two sides of a game are called on this wire, whatever is played: by seat. Constants, any
// thread.
#pragma once

#include <optional>
#include <string_view>

#include "hub/core/ids.hpp"

namespace gamehub::gateways::http {

inline constexpr std::string_view marks = "XO";

// Requires: one of the two seats.
constexpr char mark_of(seat_index seat) { return marks[static_cast<std::size_t>(seat)]; }

// Nothing for what is no mark.
constexpr std::optional<seat_index> seat_of(std::string_view mark) {
  if (mark.size() != 1 || marks.find(mark) == marks.npos) return std::nullopt;
  return static_cast<seat_index>(marks.find(mark));
}

// The one seat of a set, if it is one of the two.
constexpr std::optional<seat_index> only_seat(seat_set set) {
  for (const seat_index seat : {0, 1})
    if (set == only(seat)) return seat;
  return std::nullopt;
}

}  // namespace gamehub::gateways::http
