// The engines of this program: those that are built in, and those of the folder of plugins that the
// operator named, if any. Whoever makes one owns it; one thread at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engines/loader.hpp"
#include "engines/registry.hpp"
#include "hub/app/plugins/folder.hpp"

namespace gamehub::app::plugins {

class plugin_set {
 public:
  // Tries and loads all plugins of the folder; an empty path is none. Throws operator_mistake if
  // the folder can't be read.
  explicit plugin_set(const std::filesystem::path& where,
                  engines::registry built_in = engines::registry::built_in(),
                  folder::opener = engines::load);

  const engines::registry& engines() const { return engines_; }
  // What became of the files, sorted by name.
  std::vector<plugin> plugins() const;

  // Null where there is none.
  folder* watched() { return folder_ ? &*folder_ : nullptr; }

 private:
  engines::registry engines_;
  std::optional<folder> folder_;
};

}  // namespace gamehub::app::plugins
