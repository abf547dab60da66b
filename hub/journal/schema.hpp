// The tables of the journal's file, version by version. An older file is migrated to the newest
// version in one transaction; a newer file is refused. Called by the thread that opens the file.
#pragma once

#include "hub/journal/sqlite.hpp"

#include <filesystem>

namespace gamehub::journal {

inline constexpr int schema_newest = 5;

// Returns the version of the file; zero: the file is empty. Throws unusable_file if it belongs to
// another program or to a newer hub.
int schema_of(sqlite::database&, const std::filesystem::path&);

// Migrates the file. Requires: a transaction; the file has version `from`.
void migrate(sqlite::database&, int from, int to = schema_newest);

// Sets the pragmas of a connection that writes. Requires: no transaction.
void prepare_to_write(sqlite::database&, bool fsync_each_commit);

}  // namespace gamehub::journal
