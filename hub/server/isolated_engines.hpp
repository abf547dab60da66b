// The isolated engines of a hub: each runs in its own process and has the interface of any other
// engine. Owned by the composition: made before all users of engines, destroyed after the actors.
// open() and numbers() from any thread, also while the hub runs.
#pragma once

#include "engines/host/engine.hpp"
#include "engines/host/registry.hpp"
#include "hub/config/settings.hpp"
#include "hub/core/limits.hpp"
#include "hub/server/process_supervisor.hpp"
#include "metrics/engine_numbers.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::server {

class isolated_engines {
 public:
  // `ids` are the engines to isolate, or `all_plugins`; `programs` are those of --engine. Each has
  // as many hosts as processes, and all versions of one id share them; the last hosts are those of
  // all .engine files, as many as the file with the most processes has. A file that is added later
  // and has more processes shares hosts. The rest: see supervisor_settings.
  isolated_engines(std::vector<std::string> ids, std::vector<std::string> programs,
                   std::size_t processes, std::chrono::milliseconds call, base::child_limits limits,
                   std::string program = base::this_program)
      : ids_(std::move(ids)),
        programs_(std::move(programs)),
        processes_(processes),
        call_(call),
        limits_(std::move(limits)),
        program_(std::move(program)),
        file_hosts_(processes) {}

  // Returns how many hosts there are, with or without .engine files. Their numbers begin with 0.
  // Called once, after the files were opened that are there at the start.
  std::size_t hosts(bool with_files);

  // Returns the engines, with those to isolate running in processes. Throws config::usage_error if
  // a process does not start.
  engines::host::registry among(const engines::host::registry& built_in);

  // Opens the engine of a plugin. Loads it in a process first, and into this process only if it is
  // not to be isolated. Programs are always isolated. Returns a sentence if it can't be opened.
  std::variant<engines::host::engine, std::string> open(const std::filesystem::path& plugin);

  // Sets the callback for the end of an engine's process, which ends all its matches. A supervisor
  // thread calls it; it must not block. After a call with an empty function no callback runs.
  void at_end(std::function<void(const std::string& engine, const engines::host::host&)> what);

  // Stops the processes of engines for which `is_old` returns true and that have had no match for
  // limits::engine_unused_max, as far as the calls of this function can tell. One thread at a time.
  void stop_unused(std::chrono::steady_clock::time_point now,
                   const std::function<bool(const engines::host::engine&)>& is_old);

  // Returns how many processes run or are to be restarted.
  std::size_t processes() const { return places_.taken(); }

  // Returns state and restarts of each engine, for metrics. A process that was stopped counts as
  // running.
  std::vector<metrics::engine_numbers::isolated_engine> numbers() const;

 private:
  struct isolated {
    std::unique_ptr<process_supervisor> supervisor;
    engines::host::engine rules;  // in this process
    std::uint64_t life = 0;       // of the latest call of stop_unused()
    std::chrono::steady_clock::time_point used = {};
  };
  // The hosts of an engine: the first of them, and how many.
  struct hosts_of {
    std::size_t first = 0, count = 0;
  };

  std::unique_ptr<process_supervisor> start(const std::string& what);
  // Starts the further processes of an engine whose first one runs.
  std::variant<engines::host::engine, std::string> add(const std::string& what,
                                                       std::unique_ptr<process_supervisor>,
                                                       std::size_t processes, hosts_of);
  std::optional<hosts_of> hosts_of_id(std::string_view id) const;
  hosts_of hosts_of_program(const std::string& what, std::size_t processes);
  void forward_end(isolated&);

  const std::vector<std::string> ids_, programs_;
  const std::size_t processes_;
  const std::chrono::milliseconds call_;
  const base::child_limits limits_;
  const std::string program_;
  process_places places_{limits::all_engine_processes_max};
  std::size_t file_hosts_;
  bool hosts_fixed_ = false;
  mutable std::mutex mutex_;
  std::function<void(const std::string&, const engines::host::host&)> at_end_;
  std::vector<isolated> all_;
};

// In place of an id: every plugin.
inline constexpr std::string_view all_plugins = "all-plugins";

// Returns the argument. Throws config::usage_error if an engine to isolate is not among them.
const engines::host::registry& checked(const engines::host::registry&, const config::settings&);

}  // namespace gamehub::server
