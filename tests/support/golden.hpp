// Answers that are kept in a file beside what gives them, so that each change of one is seen.
// Called by tests.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gamehub::tests {

// The text that is kept there. Where the environment says `write` by that name, the current text is
// written there first. Throws std::runtime_error: there is no such file.
inline std::string kept_text(const std::string& path, std::string_view current,
                             const char* write_if = "GAMEHUB_GOLDEN") {
  const char* wish = std::getenv(write_if);
  if (wish != nullptr && std::string_view{wish} == "write")
    std::ofstream{path, std::ios::binary} << current;
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::runtime_error("there is nothing at " + path);
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace gamehub::tests
