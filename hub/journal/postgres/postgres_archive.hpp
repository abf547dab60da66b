// The log of a cluster as the verbs read and change it, also while hubs write it, and the import of
// a SQLite file. Owned by the caller; one thread at a time.
#pragma once

#include "hub/journal/archive.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gamehub::journal::postgres {

// Opens the log in the database of a connection string. Throws unusable_log, as all functions of
// the archive do. There is no backup(): PostgreSQL has its own.
std::unique_ptr<archive> open_archive(const std::string& target);

// Copies a SQLite journal that no hub uses into a database that no hub has used. The open games are
// those of a member that seems dead, so the first hub that starts adopts them. Throws unusable_log.
struct imported {
  std::uint64_t ended = 0, open = 0;
};
imported import_file(const std::string& target, const std::filesystem::path& file,
                     const std::function<void(std::uint64_t games)>& progress);

}  // namespace gamehub::journal::postgres
