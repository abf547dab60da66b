// The engines that the hub knows. Whoever makes a registry owns it; it is filled before it is
// shared, and then any thread may read it.
#pragma once

#include "engines/abi.h"
#include "engines/engine.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::engines {

// The engines that were compiled in. The build generates it from the folders beside this file.
std::span<const gamehub_engine_abi* const> built_in_engines();

// Why it can't be added where the same version is known.
std::string is_registered(const engine&);

class registry {
 public:
  // One with all engines that were compiled in. Throws std::logic_error if one of them is unusable,
  // which a test would have shown.
  static registry built_in();

  // Nothing, or why it was not added: this version of the engine is there already.
  std::optional<std::string> add(engine e);

  // The newest version of an engine.
  std::optional<engine> find(std::string_view id) const;
  // The version of which a log speaks: "1.0.0".
  std::optional<engine> find(std::string_view id, std::string_view version_text) const;

  // By id, and of one id the oldest version first.
  const std::vector<engine>& all() const& { return engines_; }
  void all() && = delete;

 private:
  std::vector<engine> engines_;
};

}  // namespace gamehub::engines
