// A copy of the journal's file that is there as a whole or not at all. Called by the archive.
#pragma once

#include <filesystem>
#include <functional>

#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

// Requires: `from` is in a transaction that reads, and is the file `source`. Throws unusable_file
// if the target can't be written or is the journal itself.
void back_up(sqlite::database& from, const std::filesystem::path& source,
             const std::filesystem::path& to, const std::function<void(double)>& progress);

}  // namespace gamehub::journal
