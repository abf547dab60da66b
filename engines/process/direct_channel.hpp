// A channel to an engine process without a supervisor, for programs that end soon: the check of an
// engine and the verbs that list or replay. The process is not restarted. Any thread.
#pragma once

#include "engines/host/engine.hpp"
#include "engines/process/frames.hpp"
#include "engines/process/process_engine.hpp"
#include "engines/process/wire_format.hpp"
#include "hub/base/child_process.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::engines::process {

// The last lines that a process wrote, bounded. One thread at a time.
class output_tail {
 public:
  void add(std::string_view bytes);
  // The lines, separated by " | ".
  std::string text() const;

 private:
  std::string bytes_;
};

// Returns the call of a request in words, such as "apply (seat 0, action 4)", for the log.
std::string call_of(std::string_view request_bytes);

// Returns the description in the first message of a process, or kills the process and returns a
// sentence. `got` is how the message arrived within `time`.
std::variant<description, std::string> description_from(base::child_process&, passed got,
                                                        std::string_view hello,
                                                        std::chrono::milliseconds time);

struct direct_settings {
  base::child_limits limits{.memory_bytes = std::uint64_t{512} << 20U};
  std::chrono::milliseconds call{5'000};
  std::chrono::milliseconds start{10'000};
  // Writes what the process writes to the standard error of this program.
  bool forward_output = false;
  // Called once when the process ends or sends an invalid reply, with the reason.
  std::function<void(const std::string& why)> on_failure = {};
};

// A program that runs as long as this one.
struct opened_program {
  host::engine rules;  // Sends single requests and no `play`, so that a failure is of one function.
  description described;
  channel* to = nullptr;
};

// Starts a program (is_program()), or a process of this program with the plugin of an absolute
// path. Returns a sentence if that failed.
std::variant<opened_program, std::string> start_program(const std::string& what,
                                                        const direct_settings&);
// The same for a caller that needs the engine alone.
std::variant<host::engine, std::string> open_program(const std::string& what,
                                                     const direct_settings&);

// Opens the engine of a plugin, which is a shared object or a .engine file.
std::variant<host::engine, std::string> open(const std::filesystem::path&);

}  // namespace gamehub::engines::process
