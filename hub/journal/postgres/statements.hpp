// What the files that speak to the database of a cluster have in common: values in the form of
// statements, and what an answer means. Plain functions; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/journal/postgres/connection.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::journal::postgres {

// A division by zero ends a transaction whose first statement found that it must not go on: so all
// of it is one pipeline, and what follows is not executed.
inline constexpr std::string_view not_allowed = "22012";

inline std::int64_t ms_of(base::wall_time at) { return at.time_since_epoch().count(); }
inline base::wall_time time_of(std::int64_t ms) {
  return base::wall_time{std::chrono::milliseconds{ms}};
}

// Returns true if the last statement was a COMMIT that was carried out, on the standby as well.
bool committed(const answers&);

// Returns byte strings as an array of PostgreSQL in text form.
std::string array_of(const std::vector<std::string>&);

}  // namespace gamehub::journal::postgres
