// The tables of a cluster in PostgreSQL, version by version. Called by a member that starts.
#pragma once

#include "hub/journal/postgres/connection.hpp"
#include "hub/journal/postgres/postgres_log.hpp"

namespace gamehub::journal::postgres {

// Creates the schema `gamehub` if it does not exist, or upgrades it, in one transaction. Members
// may start at the same moment: one of them does it. Throws unusable_log if a newer gamehub does
// not allow this one to use it; error for other failures.
void bring_up_schema(connection&);

// Returns false if there is no schema. Throws as bring_up_schema(), also if the format of records
// is not one of this build, and changes nothing.
bool check_schema(connection&);

// As the function of postgres_log.hpp, which connects.
raised_format raise_record_format(connection&);

}  // namespace gamehub::journal::postgres
