// Boards as text for a terminal, by the member `board` of the face (engines/README.md). Plain
// functions, any thread.
#pragma once

#include "engines/host/engine.hpp"

#include <string>
#include <string_view>

namespace gamehub::tools::engine {

// Returns the member `board` of an engine's face; empty: none.
std::string board_kind(const engines::host::engine&);

// Draws the cells: before each row is the number of its first cell. Rows of `hexagons` are shifted.
std::string board_text(engines::grid board, std::string_view glyphs, std::string_view kind);

// Draws a view of the kind `points`, with the points as the viewer numbers them; spectators have
// the numbers of the first seat. Empty if the view has another form.
std::string points_text(std::string_view view, int viewer);

// The marks of the seats in points_text().
inline constexpr std::string_view points_marks = "XO";

}  // namespace gamehub::tools::engine
