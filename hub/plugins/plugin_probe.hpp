// Probes a plugin before the hub loads it: a short conformance check in a child process, so that a
// crash or an endless loop does not harm the hub. A plain function; any thread.
#pragma once

#include "hub/plugins/plugin_folder.hpp"

#include <filesystem>

namespace gamehub::plugins {

// Returns a sentence if the plugin can't be used, or else examples of its moves. Takes about a
// second, at most several (engines::check::quick_time).
probed probe_plugin(const std::filesystem::path& file);

}  // namespace gamehub::plugins
