// Data that the dynamic linker shares among plugins that know nothing of each other: C++ variables
// of inline functions and templates, which it binds by name alone, so that a new release of an
// engine would use the constants of the old one. A plain function, any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gamehub::engines {

// The names of such data in a shared object, as the linker has them, sorted; none where the file
// can't be read or is no library of this machine's. What belongs to the standard library is the
// same in all, and left out.
std::vector<std::string> shared_data_of(const std::filesystem::path& file);

}  // namespace gamehub::engines
