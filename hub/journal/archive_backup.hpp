// A copy of a file of ours that is there as a whole or not at all. Called by the journal's archive
// and by the arena's file, on their thread.
#pragma once

#include <filesystem>
#include <functional>

#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

// Requires: `from` is in a transaction that reads, and is the file `source`. Throws unusable_file
// if the target can't be written or is that file itself.
void back_up(sqlite::database& from, const std::filesystem::path& source,
             const std::filesystem::path& to, const std::function<void(double)>& progress);

}  // namespace gamehub::journal
