// Reads the rows of the journal's file for recovery. Used by the store when it opens, and by the
// archive. Any thread that owns the connection.
#pragma once

#include "hub/journal/recovery.hpp"
#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

// Reads the logs of all open games and those in quarantine. Throws sqlite::error. Requires: a
// transaction.
open_game_recovery recover_open_games(sqlite::database&, int schema);

}  // namespace gamehub::journal
