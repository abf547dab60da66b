// The sandbox of a process that runs the code of an engine. It reads few files and writes none, has
// no network, and reaches no other process. The kernel enforces it by seccomp (call_filter.hpp),
// Landlock and a user namespace; a kernel may lack some of them. The process enters it before its
// first thread; see child_entry.hpp. use_sandbox() is called once, at program start, before
// children are started; the rest from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::base {

// What happens if the kernel lacks a part: the process does without it, or does not start. `off`:
// there is no sandbox.
enum class sandbox_mode : std::uint8_t { automatic, required, off };

struct sandbox_policy {
  sandbox_mode mode = sandbox_mode::automatic;
  // Files and folders that every engine may read, in addition to its files.
  std::vector<std::string> readable = {};
};

// Sets the policy of all children of this program.
void use_sandbox(sandbox_policy);
const sandbox_policy& sandbox_in_use();

// The parts that a process has.
struct sandbox_parts {
  bool call_filter = false;     // seccomp
  bool landlock = false;        // files
  bool user_namespace = false;  // no rights of uid 0 outside of it, and a bound on threads

  bool operator==(const sandbox_parts&) const = default;
};

// Returns what a process without these parts is not kept from, such as "Landlock, so that an engine
// can read files". Empty if no part is missing. A user namespace counts only if `all` is true.
std::string missing_in_words(const sandbox_parts&, bool all);

// "seccomp=1 landlock=1 user_namespace=0", and back. Other texts mean no parts.
std::string line_of(const sandbox_parts&);
sandbox_parts parts_in(std::string_view text);

struct sandbox_request {
  std::vector<std::string> readable;  // files and folders; those that do not exist are ignored
  bool exec = false;                  // another program in these folders may take its place
};

// Enters the sandbox, as far as the kernel has it, for good. Requires: this process has one thread.
sandbox_parts enter_sandbox(const sandbox_request&);

// Keeps other processes of this account from this one's memory and descriptors. The kernel writes
// no core dump of it then.
void hide_from_other_processes();

// The threads of a process in a user namespace, unless its account is uid 0.
inline constexpr int sandbox_threads_max = 256;

}  // namespace gamehub::base
