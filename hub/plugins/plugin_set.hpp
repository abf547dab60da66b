// The engines of this program: the built-in ones, and those of the operator's plugin folder. Owned
// by the caller; one thread at a time.
#pragma once

#include "engines/host/registry.hpp"
#include "engines/process/direct_channel.hpp"
#include "hub/plugins/plugin_folder.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::plugins {

class plugin_set {
 public:
  // Probes and loads all plugins of the folder; an empty path means no folder. Throws
  // config::usage_error if the folder can't be read.
  plugin_set(const std::filesystem::path& where, std::vector<std::string> programs,
             engines::host::registry built_in = engines::host::registry::built_in(),
             folder::opener = engines::process::open);

  // Returns all engines.
  const engines::host::registry& engines() const { return engines_; }
  // Returns the state of each file, sorted by name.
  std::vector<plugin> plugins() const;

  // Returns the folder; null: neither a folder nor a program is set.
  folder* watched() { return folder_ ? &*folder_ : nullptr; }

 private:
  engines::host::registry engines_;
  std::optional<folder> folder_;
};

}  // namespace gamehub::plugins
