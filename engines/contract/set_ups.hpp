// How the games of a run are created: as was asked for, or, where nothing was, now and then with
// other options and players than the defaults. Plain functions, any thread.
#pragma once

#include "engines/contract/finding.hpp"
#include "engines/engine.hpp"

#include <cstdint>

namespace gamehub::engines::contract {

// Of the game of this seed, the same each time. What an engine refuses for what several options are
// together, or for the number of players, is not drawn.
set_up drawn_set_up(const engine&, const set_up& asked, std::uint64_t seed);

}  // namespace gamehub::engines::contract
