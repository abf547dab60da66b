// Builds the snapshot of a running game. A plain function, called on the loop of the game.
#pragma once

#include "actors/table/table.hpp"
#include "hub/core/spectator_service.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace gamehub::actors::spectate {

// Returns the legal actions of a seat that is to move. Throws engine_failure.
std::vector<legal_action> legal_actions(const table::table&, seat_index);

// Returns the state of the table: the public one, or if `as` is a seat, what it sees, and its legal
// actions. Parts for which the engine fails stay empty; then the failure is in `failed`.
game_snapshot make_snapshot(const table::table&, std::shared_ptr<const game_metadata>,
                            journal::record_number last, std::optional<seat_index> as,
                            std::optional<engines::host::engine_failure>& failed);

}  // namespace gamehub::actors::spectate
