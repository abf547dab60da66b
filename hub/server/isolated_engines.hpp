// All isolated engines of a hub: each in a process of its own, known to the rest of the hub by an
// engine like any other. Made at the start by the program's thread, before anything that knows of
// engines, and outlives the hub's actors. Plugins may still come, from any thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engines/engine.hpp"
#include "engines/registry.hpp"
#include "hub/app/isolation/keeper.hpp"
#include "hub/app/settings.hpp"
#include "metrics/engine_numbers.hpp"

namespace gamehub::app::process {

class isolated_engines {
 public:
  // The ids of the engines that are to be isolated, or `all_plugins`: the place among them numbers
  // the host, so that all versions of one id have the same. The rest: see keeper_settings.
  isolated_engines(std::vector<std::string> ids, std::chrono::milliseconds call,
                   child_limits limits)
      : ids_(std::move(ids)), call_(call), limits_(limits) {}

  // The engines, with those that are to be isolated in processes. Throws operator_mistake if one
  // does not start.
  engines::registry among(const engines::registry& built_in);

  // The engine of a plugin: asked in a process, and brought into this one only if it is not to be
  // isolated. Or a sentence that says why there is none.
  std::variant<engines::engine, std::string> open(const std::filesystem::path& plugin);

  // Whom to tell that the process of an engine is gone and its matches with it: on a thread that
  // may not wait for long. Nobody is told any more when this has been called with nothing.
  void at_end(std::function<void(const engines::host&)> what);

  std::vector<metrics::engine_numbers::isolated_engine> numbers() const;

 private:
  struct isolated {
    std::unique_ptr<process_supervisor> kept;
    engines::host* host = nullptr;
  };

  std::unique_ptr<process_supervisor> start(const std::string& what) const;
  std::variant<engines::engine, std::string> take(std::unique_ptr<process_supervisor>, std::size_t number);
  std::optional<std::size_t> number_of(std::string_view id) const;
  void forward_end(isolated&);

  const std::vector<std::string> ids_;
  const std::chrono::milliseconds call_;
  const child_limits limits_;
  mutable std::mutex mutex_;
  std::function<void(const engines::host&)> at_end_;
  std::vector<isolated> all_;
};

// Instead of an id: every plugin.
inline constexpr std::string_view all_plugins = "all-plugins";

// The same engines. Throws operator_mistake if one that is to be isolated is not among them.
const engines::registry& checked(const engines::registry&, const settings&);

}  // namespace gamehub::app::isolation
