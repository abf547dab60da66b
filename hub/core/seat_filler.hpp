// Who is to take the further seats of a game of three or more that a player opens. Plain values and
// functions; any thread.
#pragma once

#include "hub/core/ids.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub {

struct seat_filler {
  enum class kind : std::uint8_t { anyone, engine, bot };

  kind who = kind::anyone;
  // The level of the engine, empty: the default of the wire; or the name of the bot.
  std::string name = {};

  friend auto operator<=>(const seat_filler&, const seat_filler&) = default;
};

// Parses a list of words: any, engine, engine:LEVEL, bot:NAME. Returns the error as a sentence that
// begins with the name of the list and says what to give. The engine checks levels later.
std::variant<std::vector<seat_filler>, std::string> read_fillers(
    const std::vector<std::string>& words);

// Returns the word of a filler, as read_fillers() reads it.
std::string to_string(const seat_filler&);

// Returns the fillers by seat: those of `others` take the seats without `own` in their order, and
// all further seats are for anyone. Empty: every seat is for anyone. Requires: `own` is one of the
// seats, and there are fewer others than seats.
std::vector<seat_filler> fillers_by_seat(const std::vector<seat_filler>& others, seat_index own,
                                         int seats);

// True if a person can take the seat of a table with these fillers.
bool is_for_anyone(const std::vector<seat_filler>& by_seat, seat_index);

// Returns how many seats of a table an engine or a bot takes.
std::size_t count_filled(const std::vector<seat_filler>& by_seat);

}  // namespace gamehub
