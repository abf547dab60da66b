// What a plugin of a test takes from files beside it: in the sandbox it can read no others, and has
// no environment. Included by one file of a plugin.
#pragma once

#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace gamehub::tests {

static bool in_check = false;

// A library gets the arguments of the program when it is loaded.
__attribute__((constructor)) static void note_arguments(int count, char** arguments) {
  for (int i = 0; i < count; ++i)
    if (arguments[i] != nullptr && std::strcmp(arguments[i], "probe") == 0) in_check = true;
}

// True in a process that checks a plugin.
static bool is_check() { return in_check; }

static std::string path_beside(const char* name) {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&note_arguments), &here) == 0) return {};
  const std::string file{here.dli_fname};
  return file.substr(0, file.rfind('/') + 1) + name;
}

static bool has_file(const char* name) { return access(path_beside(name).c_str(), F_OK) == 0; }

// Empty without the file; at most 64 bytes.
static std::string text_of(const char* name) {
  const int from = open(path_beside(name).c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) return {};
  char word[64];
  const auto size = read(from, word, sizeof word);
  close(from);
  return size < 0 ? std::string{} : std::string(word, static_cast<std::size_t>(size));
}

}  // namespace gamehub::tests
