// Finds data that the dynamic linker shares among unrelated plugins: C++ variables of inline
// functions and templates. The linker binds them by name only, so a new release of an engine would
// use the constants of the old one. A plain function, any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gamehub::engines::host {

// Returns the linker names of such data in a shared object, sorted; none if the file is unreadable
// or not a library of this machine. Data of the standard library is excluded, because it is the
// same in every plugin.
std::vector<std::string> shared_data_of(const std::filesystem::path& file);

}  // namespace gamehub::engines::host
