// The symbols of seats in this protocol, for every engine: X and O, then numbers from 3 on. Plain
// values, any thread.
#pragma once

#include "hub/core/ids.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gamehub::gateways::http {

inline constexpr std::string_view marks = "XO";
// As many as an engine can have.
inline constexpr seat_index seats_max = 62;

// A symbol: a letter or a number of at most two digits. Empty: none.
class player_symbol {
 public:
  constexpr player_symbol() = default;
  constexpr player_symbol(char letter) : text_{letter}, size_(letter == '\0' ? 0 : 1) {}
  // The symbol of a seat.
  static constexpr player_symbol of(seat_index seat) {
    const auto at = static_cast<std::size_t>(seat);
    if (at < marks.size()) return marks[at];
    player_symbol out;
    const auto number = at + 1;
    if (number >= 10) out.text_[out.size_++] = static_cast<char>('0' + number / 10 % 10);
    out.text_[out.size_++] = static_cast<char>('0' + number % 10);
    return out;
  }

  constexpr bool empty() const { return size_ == 0; }
  constexpr std::string_view text() const { return {text_.data(), size_}; }
  friend constexpr bool operator==(const player_symbol&, const player_symbol&) = default;

 private:
  std::array<char, 2> text_{};
  std::size_t size_ = 0;
};

// Returns the symbol of a seat. Requires: a seat of a game, from 0.
constexpr player_symbol mark_of(seat_index seat) { return player_symbol::of(seat); }

// Returns the seat of a mark that a client may ask for, or nothing.
constexpr std::optional<seat_index> seat_of(std::string_view mark) {
  for (seat_index seat = 0; seat < seats_max; ++seat)
    if (mark_of(seat).text() == mark) return seat;
  return std::nullopt;
}

// Returns the only seat of a set, or nothing if the set has another size.
constexpr std::optional<seat_index> only_seat(seat_set set) {
  if (!std::has_single_bit(set)) return std::nullopt;
  return static_cast<seat_index>(std::countr_zero(set));
}

}  // namespace gamehub::gateways::http
