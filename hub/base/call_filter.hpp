// The system calls of a process that runs the code of an engine: a list of those that are allowed,
// some with conditions on their arguments, as a program that the kernel runs before each call
// (seccomp). Every other call fails; none ends the process. Plain functions, any thread.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>
#include <vector>

namespace gamehub::base {

struct call_filter_settings {
  pid_t self = 0;          // the process: it may signal itself, and change its own limits
  bool exec = false;       // another program may take its place; its memory is all private
  bool read_only = false;  // refuses to open files for writing: if Landlock does not
};

// Returns the program. It is empty if the calls of this machine are unknown.
std::vector<sock_filter> call_filter(const call_filter_settings&);

}  // namespace gamehub::base
