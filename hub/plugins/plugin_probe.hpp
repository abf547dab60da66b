// Probes a plugin before the hub loads it: a short conformance check in a child process, so that a
// crash or an endless loop does not harm the hub. A plain function; any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gamehub::plugins {

// Returns a sentence if the plugin can't be used. Takes about a second, at most several
// (engines::check::quick_time).
std::optional<std::string> probe_plugin(const std::filesystem::path& file);

}  // namespace gamehub::plugins
