// Reads the rows of the journal's file for recovery. Used by the store when it opens, and by the
// archive. Any thread that owns the connection.
#pragma once

#include "hub/journal/recovery.hpp"
#include "hub/journal/sqlite.hpp"

#include <cstdint>

namespace gamehub::journal {

// Returns a statement for the rows of `asleep`: id, records, sum, log and due. Those of games that
// recover_open_games() returns are older than their logs. Empty: the schema has none.
sqlite::statement asleep_rows(sqlite::database&, int schema, const char* condition = "");

// Whether games that are asleep are among the open ones.
enum class sleepers : std::uint8_t { with, without };

// Reads the logs of all open games and those in quarantine. Throws sqlite::error. Requires: a
// transaction.
open_game_recovery recover_open_games(sqlite::database&, int schema, sleepers = sleepers::with);

// Adds a game that is asleep to the open ones. Does nothing if it is not asleep. Requires: the
// newest schema, and a transaction.
void add_sleeper(sqlite::database&, game_id, open_game_recovery& to);

}  // namespace gamehub::journal
