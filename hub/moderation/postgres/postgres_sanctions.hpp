// The bans and mutes of a cluster in PostgreSQL, in the tables that hub/journal/postgres creates.
// It has its own connection. One thread at a time.
#pragma once

#include "hub/moderation/sanction_table.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::moderation::postgres {

// `target`: a connection string or URI of libpq. Connects at the first call, and again after a
// failure. No call waits longer than 6 s.
std::unique_ptr<sanction_table> make_postgres_sanctions(std::string target);

// Adds those that the cluster lacks, also while hubs run. Creates or upgrades the schema if
// necessary. Returns how many were added. Throws base::usage_error if the database can't be used,
// or at limits::sanctions_max, after some of them.
std::size_t import_sanctions(const std::string& target, const std::vector<sanction>&);

}  // namespace gamehub::moderation::postgres
