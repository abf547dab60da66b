// What a journal holds, as a table for people or one object of JSON. Plain values, any thread.
#pragma once

#include "hub/journal/archive.hpp"

#include <filesystem>
#include <string>

namespace gamehub::admin {

std::string stats_table(const std::filesystem::path& file, const journal::archive_totals&);
std::string stats_json(const std::filesystem::path& file, const journal::archive_totals&);

}  // namespace gamehub::admin
