// The operator's token, as a file has it: by which the hub knows the operator, and the operator's
// verbs say who they are. Read once at the start, on the program's only thread.
#pragma once

#include <filesystem>
#include <string>

namespace gamehub::base {

// 16 to 256 visible characters of ASCII on the first line; empty without a file. Throws
// usage_error.
std::string read_token(const std::filesystem::path& file);

}  // namespace gamehub::base
