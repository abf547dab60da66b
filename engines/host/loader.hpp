// Brings an engine from a shared object into the program. What was loaded is never unloaded: a
// match may outlive everything that could decide to. Any thread may load.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "engines/engine.hpp"

namespace gamehub::engines {

// The engine of this file, or a sentence that says why it is none.
std::variant<engine, std::string> load(const std::filesystem::path& file);

}  // namespace gamehub::engines
