// Tries a plugin before the hub loads it: a short check of its contract in a process of its own,
// which may crash, hang or end without harm to this one. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gamehub::app::plugins {

// What is wrong with it, if anything is. Takes about a second, and at the most some seconds.
std::optional<std::string> fault_of(const std::filesystem::path& file);

}  // namespace gamehub::app::plugins
