// What the hub must know of a wire, and a wire of an engine: enough to render positions in the
// wire's form and to refuse an engine that the wire can't carry. Plain values.
#pragma once

#include <cstdint>
#include <string>

namespace gamehub {

// The forms in which a position can be rendered; a wire asks for one.
enum class view_form : std::uint8_t { cells, document };

// What a wire may ask about an engine under given options. Filled from the engine, so that
// gateways need no engine header.
struct engine_traits {
  std::string id;
  std::string title;
  std::string marks;  // one glyph a seat; empty: no cells
  int rows = 0, columns = 0;
  int players = 2;
  std::uint64_t actions_max = 0;  // the most actions that are ever legal at once
  bool simultaneous = false;
  bool perfect_information = true;
  std::string options;  // as JSON; empty: the engine's defaults

  bool has_cells() const { return !marks.empty(); }
  int cells() const { return rows * columns; }
};

}  // namespace gamehub
