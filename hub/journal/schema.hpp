// The tables of the journal's file, version by version. A file of an older version is brought to
// the newest in one transaction; a newer one is refused. Called by whoever opens the file.
#pragma once

#include <filesystem>

#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

inline constexpr int schema_newest = 3;

// Zero: an empty file. Throws unusable_file if it is another program's or a newer hub's.
int schema_of(sqlite::database&, const std::filesystem::path&);

// Requires: a transaction, and that the file has version `from`.
void migrate(sqlite::database&, int from, int to = schema_newest);

// What all connections that write have in common. Requires: no transaction.
void prepare_to_write(sqlite::database&, bool fsync_each_commit);

}  // namespace gamehub::journal
