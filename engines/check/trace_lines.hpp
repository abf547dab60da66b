// Compares the traces of the same games from two processes. A trace has one line of JSON per state.
// Plain functions, any thread.
#pragma once

#include "engines/check/request.hpp"
#include "engines/contract/state_queries.hpp"
#include "engines/contract/trace.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gamehub::engines::check {

// The start of each trace line. No other line starts like this.
inline constexpr const char* trace_line_begins = "{\"a\":";

// Returns the line of a state without the line end.
std::string trace_line(const engines::contract::game_position&,
                       const std::vector<engines::contract::aspect>&);

// The result of a comparison.
struct comparison {
  int games = 0;  // In both traces.
  std::optional<breach> difference;
};
// Compares two reports up to the end of the shorter one.
comparison compared(const std::string& one, const std::string& other);

}  // namespace gamehub::engines::check
