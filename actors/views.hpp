// What a match looks like and how it ended, taken from its engine and held against what a wire can
// carry: an engine of others' may answer anything. Plain functions; they throw engine_failure.
#pragma once

#include <cstdint>
#include <string>

#include "engines/engine.hpp"
#include "hub/core/event.hpp"

namespace gamehub::actors {

// The board as that viewer sees it: as large as the engine says, printable.
void draw_board(const engines::match&, int viewer, std::uint16_t& rows, std::uint16_t& columns,
                std::string& cells);

// The engine's own account: a JSON object on one line.
void write_view(const engines::match&, int viewer, std::string& document);

// Requires: the match is over.
outcome outcome_by_rules(const engines::match&);

}  // namespace gamehub::actors
