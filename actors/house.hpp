// The house: the engine's own player, or the hub's search, in a seat without a session. Who can be
// played, how the seat is called in games and logs, and how it chooses. Plain functions, any
// thread; a choice works on a match that nobody else uses meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engines/engine.hpp"
#include "hub/core/ids.hpp"

namespace gamehub::actors::house {

// Why the house can't take a seat in games of this engine, as the end of the sentence "the house
// can't play X: it …"; nothing if it can.
std::optional<std::string> unable_to_play(const engines::engine&);

// Whether a choice costs about as much as a move, so that it is made where the game lives. Any
// other is made by a thinker.
bool plays_at_once(const engines::engine&, engines::level);

// How the seat is called. No player ever has such a name.
std::string name_of(engines::level);
bool is_name(std::string_view);

// By which wire the seat came, for the log, and the level back from there.
std::string wire_of(engines::level);
std::optional<engines::level> level_of_wire(std::string_view);

// A legal action for a seat that is to move. `time_is_up` (none: never) is asked by the search
// alone: an engine's own player gets style.budget. Throws engine_failure where the engine fails.
// Requires: the house is able to play the engine.
engines::action choose(const engines::engine&, const engines::match&, seat_index seat,
                       const engines::play_style&, const std::function<bool()>& time_is_up = {});

// Any legal action, each equally likely.
engines::action choose_at_random(const engines::match&, seat_index seat, std::uint64_t seed);

}  // namespace gamehub::actors::house
