// How a table stands, for whoever asks once: what everybody may see, and what one seat may do. A
// plain function.
#pragma once

#include <memory>
#include <optional>

#include "actors/table.hpp"
#include "hub/core/gallery.hpp"

namespace gamehub::actors {

// What the engine does not answer stays empty.
game_look look_at(const table&, std::shared_ptr<const game_card>, journal::record_number last,
                  std::optional<seat_index> as);

}  // namespace gamehub::actors
