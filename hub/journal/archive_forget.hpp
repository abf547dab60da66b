// Takes a player's name and secret out of the journal's file, piece by piece, so that a hub that
// writes to it waits for no more than one of them. Called by the archive.
#pragma once

#include <functional>

#include "hub/journal/archive.hpp"
#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

// `whose` is asked about records of the kind `joined`. Requires: no transaction.
archive::forgotten forget(sqlite::database&, int schema,
                          const std::function<bool(const record&)>& whose);

}  // namespace gamehub::journal
