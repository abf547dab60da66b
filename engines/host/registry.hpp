// The engines of the hub. Its creator owns the registry and fills it before sharing it; then any
// thread may read it.
#pragma once

#include "engines/abi.h"
#include "engines/host/engine.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::engines::host {

// Returns the built-in engines. The build generates the list from the folders of engines/.
std::span<const gamehub_engine_abi* const> built_in_engines();

// Returns the error text for a version that is registered already.
std::string is_registered(const engine&);

class registry {
 public:
  // Returns a registry of all built-in engines. Throws std::logic_error if one is invalid, which a
  // unit test detects.
  static registry built_in();

  // Adds an engine. Returns the error text if this version is registered already.
  std::optional<std::string> add(engine e);

  // Returns the newest version of an engine.
  std::optional<engine> find(std::string_view id) const;
  // Returns the version that a log names: "1.0.0".
  std::optional<engine> find(std::string_view id, std::string_view version_text) const;

  // Sorted by id, then by ascending version.
  const std::vector<engine>& all() const& { return engines_; }
  void all() && = delete;

 private:
  std::vector<engine> engines_;
};

}  // namespace gamehub::engines::host
