// The heartbeats of a cluster in PostgreSQL, in the tables that hub/journal/postgres creates. It
// uses a second connection, so that no beat waits for the log. One thread at a time.
#pragma once

#include "hub/cluster/member_table.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gamehub::cluster::postgres {

// `target`: a connection string or URI of libpq. `self`: a member that postgres_log opened.
// Connects at the first beat, and again after a failure.
std::unique_ptr<member_table> make_postgres_members(std::string target, member_id self);

// Returns the members that beat() reads, for a program that has no hub. Throws an exception
// of the database.
std::vector<member_row> read_members(const std::string& target);

}  // namespace gamehub::cluster::postgres
