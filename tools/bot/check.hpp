// Calls a bot as the hub does, and reports its errors. Blocks the calling thread until the end.
#pragma once

#include "engines/host/registry.hpp"
#include "tools/bot/check_request.hpp"

#include <iosfwd>

namespace gamehub::tools::bot {

// Writes one line per call and a summary. Returns true if the bot has no error. Throws usage_error.
bool check(const check_request&, const engines::host::registry&, std::ostream& out);

}  // namespace gamehub::tools::bot
