// The page or the JSON of `gamehub engine moves`: examples of the moves of engines, for authors of
// clients.
// Plain functions, any thread.
#pragma once

#include "engines/host/engine.hpp"

#include <cstdint>
#include <string>

namespace gamehub::tools::engine {

struct moves_request {
  std::string target;  // as of open_engine(); empty: all built-in engines
  std::string options;
  int players = 0;
  std::uint64_t seed = 1;
  bool json = false;
};

// Returns the section of one engine in Markdown. Throws usage_error, and engine_failure.
std::string moves_section(const engines::host::engine&, const moves_request&);

// Returns engines/MOVES.md: the sections of all built-in engines, and what their columns mean.
std::string moves_page(const moves_request&);

// Returns `engine`, `title` and `examples` as GET /api/engines/{engine} has them: a JSON object.
// Throws as moves_section().
std::string moves_json(const engines::host::engine&, const moves_request&);

// Returns `engines`: a list of such objects, of all built-in engines.
std::string all_moves_json(const moves_request&);

}  // namespace gamehub::tools::engine
