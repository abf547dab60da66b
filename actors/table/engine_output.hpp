// Reads boards, views and outcomes from an engine and validates them against what the protocols can
// transport, because a plugin may return anything. Plain functions, any thread; they throw
// engine_failure.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/core/event.hpp"

#include <cstdint>
#include <string>

namespace gamehub::actors::table {

// Writes the board as the viewer sees it: printable characters, one for each cell.
void render_board(const engines::host::match&, int viewer, std::uint16_t& rows,
                  std::uint16_t& columns, std::string& cells);

// Writes the view of the engine: a JSON object on one line.
void render_view(const engines::host::match&, int viewer, std::string& document);

// Returns the outcome of a match that is over by its rules.
outcome outcome_by_rules(const engines::host::match&);

}  // namespace gamehub::actors::table
