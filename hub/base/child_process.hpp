// Processes that the hub starts to do what could take the hub itself down: the same program again,
// with bounds on what it may use, in the sandbox (sandbox.hpp), with no descriptor but those named
// here and few variables of the environment. A child goes when its parent goes, however that ends,
// and at the latest with the thread that started it. Any thread may start one; each is used by one
// thread at a time. What the child does first: child_entry.hpp.
#pragma once

#include "hub/base/sandbox.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gamehub::base {

// The addresses that the runtime of a program may reserve without using them. Node.js 18 and 20
// reserve 0.7 GiB at their start.
inline constexpr std::uint64_t reserved_bytes_max = std::uint64_t{2} << 30U;

// Kept by the kernel. Sanitizers need more memory and processes than any bound leaves: built with
// one, a child is bound by its processor time and files alone.
struct child_limits {
  // Of address space; 0: no bound. If another program may run (`exec`, `processes`), of private
  // memory that can be written, and there is more address space by reserved_bytes_max.
  std::uint64_t memory_bytes = 0;
  std::chrono::seconds cpu{0};  // of processor time; 0: no bound
  int files_max = 64;
  bool processes = false;  // whether it may start others; if so, it has no sandbox
  bool exec = false;       // whether it may replace itself with another program
  // What it may read in the sandbox, in addition to what sandbox_in_use() names; and the mode, if
  // it differs from that one.
  std::vector<std::string> readable = {};
  std::optional<sandbox_mode> sandbox = {};
};

// What of a child's output is kept; the rest is read and forgotten.
inline constexpr std::size_t child_output_max = 64 * 1024;

struct child_end {
  enum class way : std::uint8_t { exited, signalled, out_of_time };

  way how = way::exited;
  int code = 0;        // what it exited with, or the signal
  std::string output;  // standard output and error, up to child_output_max
};

// "exited with code 3", "was ended by SIGSEGV", "was given up: it took too long"
std::string in_words(const child_end&);

// Runs this program with these arguments until it ends or, at the deadline, is killed. `shared` is
// a descriptor that the child gets as child_shared; -1: none. Throws std::system_error if it can't
// be started.
child_end run_self(const std::vector<std::string>& args, const child_limits&,
                   std::chrono::milliseconds deadline, int shared = -1);
// The same with another program, which calls enter_child() first.
child_end run_program(const std::string& path, const std::vector<std::string>& args,
                      const child_limits&, std::chrono::milliseconds deadline, int shared = -1);

// The path of this program, also after its file was replaced.
inline constexpr const char* this_program = "/proc/self/exe";

// A child that stays. Beside its output it has a channel to its parent: a socket, its descriptor
// child_channel.
inline constexpr int child_channel = 3;
inline constexpr int child_shared = 4;

class child_process {
 public:
  // Throws std::system_error.
  child_process(const std::string& path, const std::vector<std::string>& args, const child_limits&,
                int shared = -1);
  // Kills it if it still runs.
  ~child_process();
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  pid_t id() const { return id_; }
  // A stream socket that blocks; the child's end is child_channel.
  int channel() const { return channel_; }
  // What it writes to its standard output and error; never blocks.
  int output() const { return output_; }

  // Whether it has ended, and how; its output is not asked for.
  std::optional<child_end> ended();
  // Ends it now, with all that it started, and says how it ended: a child that had gone already
  // went its own way.
  child_end kill();

 private:
  pid_t id_ = -1;
  int channel_ = -1;
  int output_ = -1;
  std::optional<child_end> end_;
};

}  // namespace gamehub::base
