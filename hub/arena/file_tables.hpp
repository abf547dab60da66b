// The tables of the arena's file, version by version. Called by whoever opens the file.
#pragma once

#include <filesystem>

#include "hub/journal/sqlite.hpp"

namespace gamehub::arena {

// Brings a file that is empty or of an older version to the newest one. Throws
// journal::unusable_file if it is another program's or a newer hub's, or may not be changed and
// would have to be.
void make_tables(journal::sqlite::database&, const std::filesystem::path&, bool may_change);

}  // namespace gamehub::arena
