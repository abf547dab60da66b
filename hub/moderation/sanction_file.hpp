// Bans and mutes in a JSON file of one hub, which survives a restart.
#pragma once

#include "hub/moderation/sanction_table.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace gamehub::moderation {

// Loads the file. An empty path: nothing is stored. Throws base::usage_error if the file is not a
// file of sanctions. The list is read from the file once only.
std::unique_ptr<sanction_table> make_sanction_file(std::filesystem::path);

// Returns the sanctions of a file. Throws as make_sanction_file(), also if there is no file.
std::vector<sanction> read_sanctions(const std::filesystem::path&);

}  // namespace gamehub::moderation
