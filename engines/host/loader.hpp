// Loads an engine from a shared object. A shared object is never unloaded, because a match may
// outlive every owner of the engine. Any thread.
#pragma once

#include "engines/host/engine.hpp"

#include <filesystem>
#include <string>
#include <variant>

namespace gamehub::engines::host {

// Returns the engine of this file, or a sentence that states the error.
std::variant<engine, std::string> load(const std::filesystem::path& file);

}  // namespace gamehub::engines::host
