// Builds the snapshot of a running game. A plain function, called on the loop of the game.
#pragma once

#include "actors/table/table.hpp"
#include "hub/core/spectator_service.hpp"

#include <memory>
#include <optional>

namespace gamehub::actors::spectate {

// Returns the public state of the table and, if `as` is a seat, the view and the legal actions of
// that seat. Parts for which the engine fails stay empty; then the failure is in `failed`.
game_snapshot make_snapshot(const table::table&, std::shared_ptr<const game_metadata>,
                            journal::record_number last, std::optional<seat_index> as,
                            std::optional<engines::host::engine_failure>& failed);

}  // namespace gamehub::actors::spectate
