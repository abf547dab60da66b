// The statements for the league of a cluster, in the tables that hub/journal/postgres creates:
// bots, tokens, scheduled matches, results and ratings, and the member that has the league. Plain
// functions on a connection; one thread at a time. A failure throws journal::postgres::error.
#pragma once

#include "hub/journal/member_id.hpp"
#include "hub/journal/postgres/connection.hpp"
#include "hub/league/store.hpp"
#include "hub/league/token.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::league::postgres {

using journal::member_id;
using journal::postgres::connection;

// Prepares the statements that send_changes() uses.
void prepare(connection&);

// Fails the transaction if this member has not the league, and keeps others from taking it until
// the end of the transaction. The error has the state not_owner.
void send_check(connection&, member_id self);
inline constexpr std::string_view not_owner = "22012";  // a division by zero

// Adds the statements of the changes to the pipeline. They may be repeated.
void send_changes(connection&, const changes&);

// Reads everything that a league loads.
saved load(connection&, base::wall_time ended_since);
std::vector<bot_record> bots(connection&);
std::vector<rating> ratings(connection&);
// Deletes matches outside of tournaments that ended before.
void forget_matches(connection&, base::wall_time ended_before);

// Takes the league if no member has it, or if its member's log belongs to this one now. Returns the
// member that has it; none: no member could take it.
std::optional<member_id> claim(connection&, member_id self);

// As the functions of league::file.
void add_token(connection&, const token_entry&);
std::size_t revoke_tokens(connection&, const std::string& owner, base::wall_time now);
std::vector<token_entry> tokens(connection&);
std::optional<std::string> owner_of(connection&, const std::string& digest);

}  // namespace gamehub::league::postgres
