// What a record of a game's log, in its public form, is as an update of this wire. Plain functions,
// any thread.
#pragma once

#include <string>

#include "gateways/http/updates.hpp"
#include "hub/core/update.hpp"

namespace gamehub::gateways::http {

update update_of(const public_update&);

// Why a game ended, for people. Requires: the update is of that kind.
std::string end_reason_of(const public_update&);

// Who moves, or who has won.
turn_or_winner turn_or_winner_of(const public_position&);

}  // namespace gamehub::gateways::http
