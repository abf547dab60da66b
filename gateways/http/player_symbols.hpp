// The marks X and O of the two seats in this protocol, for every engine. Constants, any thread.
#pragma once

#include "hub/core/ids.hpp"

#include <optional>
#include <string_view>

namespace gamehub::gateways::http {

inline constexpr std::string_view marks = "XO";

// Returns the mark of a seat. Requires: seat 0 or 1.
constexpr char mark_of(seat_index seat) { return marks[static_cast<std::size_t>(seat)]; }

// Returns the seat of a mark, or nothing.
constexpr std::optional<seat_index> seat_of(std::string_view mark) {
  if (mark.size() != 1 || marks.find(mark) == marks.npos) return std::nullopt;
  return static_cast<seat_index>(marks.find(mark));
}

// Returns the only seat of a set if it is seat 0 or 1.
constexpr std::optional<seat_index> only_seat(seat_set set) {
  for (const seat_index seat : {0, 1})
    if (set == only(seat)) return seat;
  return std::nullopt;
}

}  // namespace gamehub::gateways::http
