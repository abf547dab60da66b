// Projects the records of a game log to public updates for spectators. The table does it with each
// record that it makes, log_replay with those of a log, so both give the same. Plain functions; any
// thread.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/core/wire.hpp"
#include "hub/journal/record.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace gamehub::actors::table {

// Which names metadata has: the present ones, or those of the start.
enum class names_as : std::uint8_t { of_now, of_start };

// Returns the metadata of a game that has started. The engine is null if the hub no longer has it.
std::shared_ptr<const game_metadata> metadata_of(const journal::game_log&,
                                                 const engines::host::engine*,
                                                 names_as = names_as::of_now);

// Converts a logged change of an offer, without the name of its player; nothing for other records.
std::optional<offer_update> offer_of(const journal::record&);
// Returns the kind of the records that log this step.
journal::record::kind kind_of(offer_step);

// Returns the kind of a seat whose player came by this wire, as logs name it.
seat_kind seat_kind_of(std::string_view wire);

// Returns the form of positions in updates of an engine's games.
inline view_form public_form(const engines::host::engine& rules) {
  return rules.has_cells() ? view_form::cells : view_form::document;
}

// Returns the public update of a record. The metadata is that before it; of the update `renamed` it
// is the new one, which holds for later records. `action` describes the action of `moved` and
// `drawn`, `then` is the position after the record for spectators; records without them ignore
// them.
std::shared_ptr<game_update> project(std::shared_ptr<const game_metadata>, const journal::record&,
                                     legal_action action, position_ref then);

}  // namespace gamehub::actors::table
