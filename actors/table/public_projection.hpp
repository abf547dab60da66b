// Projects the records of a game log to public updates for spectators. The table does it with each
// record that it makes, log_replay with those of a log, so both give the same. Plain functions; any
// thread.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/core/wire.hpp"
#include "hub/journal/record.hpp"

#include <memory>

namespace gamehub::actors::table {

// Returns the metadata of a game that has started. The engine is null if the hub no longer has it.
std::shared_ptr<const game_metadata> metadata_of(const journal::game_log&,
                                                 const engines::host::engine*);

// Returns the form of positions in updates of an engine's games.
inline view_form public_form(const engines::host::engine& rules) {
  return rules.has_cells() ? view_form::cells : view_form::document;
}

// Returns the public update of a record. `action` describes the action of `moved` and `drawn`,
// `then` is the position after the record for spectators; records without them ignore them.
std::shared_ptr<game_update> project(std::shared_ptr<const game_metadata>, const journal::record&,
                                     legal_action action, position_ref then);

}  // namespace gamehub::actors::table
