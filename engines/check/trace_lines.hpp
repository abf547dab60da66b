// What two processes said of the same games, and where they differ: a line of JSON for each state.
// Plain functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engines/contract/trace.hpp"
#include "hub/app/kit/request.hpp"

namespace gamehub::app::kit {

// Every line of a trace begins so, and no other.
inline constexpr const char* trace_line_begins = "{\"a\":";

// Without the line's end.
std::string trace_line(const engines::contract::place&,
                       const std::vector<engines::contract::aspect>&);

struct comparison {
  int games = 0;  // That both played.
  std::optional<breach> difference;
};
// Of two reports, as far as both go.
comparison compared(const std::string& one, const std::string& other);

}  // namespace gamehub::app::kit
