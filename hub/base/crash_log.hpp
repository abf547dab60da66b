// The last lines of the log: if a signal such as SIGSEGV ends the program, which engine's call,
// which thread and which game it happened in, and where in the program. install() is called once,
// before other threads start; the rest is for the thread that it names. What happens in the signal
// handler allocates nothing and takes no lock.
#pragma once

#include "hub/base/log.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace gamehub::base::crash_log {

// What a thread does: the number of the engine whose call is active, from 1, and the game.
struct activity {
  std::uint32_t engine = 0;  // 0: none
  std::uint64_t game = 0;    // 0: none
};
activity& of_this_thread();

// Sets what this thread does, as long as it lives.
class scope {
 public:
  explicit scope(activity now) : before_(of_this_thread()) { of_this_thread() = now; }
  ~scope() { of_this_thread() = before_; }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

 private:
  const activity before_;
};

inline constexpr std::size_t engines_max = 256;
// Names an engine, such as "nim 1.0.0". Later numbers, and names after the first one of a number,
// are ignored. One thread at a time.
void name_engine(std::uint32_t number, std::string_view name);

// Writes the lines at SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, and lets the signal end the
// program. A handler that is there already, such as that of a sanitizer, stays.
void install(log::format);

// A stack for the handler on the thread that constructs and destroys it, so that also an overflow
// of the thread's stack is logged.
class signal_stack {
 public:
  signal_stack();
  ~signal_stack();
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

// Writes the line, without its end, into `to`; returns the part that it fills. For tests.
std::string_view line(log::format, int signal, std::int64_t milliseconds_since_1970,
                      std::string_view thread, activity, std::span<char> to);
// The same for the second line: offsets of calls in the program's file, as addr2line takes them.
std::string_view calls_line(log::format, std::int64_t milliseconds_since_1970,
                            std::span<const std::uint64_t> calls, std::span<char> to);

}  // namespace gamehub::base::crash_log
