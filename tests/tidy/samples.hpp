// Small sources for the tests of the rules, and their violations as text.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/tidy/layers.hpp"
#include "tests/tidy/rules.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::tidy {

inline std::string told(const std::vector<violation>& found) {
  std::string text;
  for (const auto& each : found)
    text += each.path + ":" + std::to_string(each.line) + ": " + each.what + "\n";
  return text;
}

// The violations of a source that keeps all rules but for this text.
inline std::string told_of(std::string path, const std::string& text) {
  const auto is_header = path.ends_with(".hpp") || path.ends_with(".h");
  const auto own = path.find('/') == path.npos
                       ? std::string{}
                       : "namespace " + namespace_of(folder_of(path)) + " {}\n";
  return told(
      check({std::move(path), (is_header ? "// What it is.\n#pragma once\n" : "") + text + own}));
}

inline void says(const std::string& told, const std::string& words) {
  INFO("told: " << told);
  CHECK(told.find(words) != told.npos);
}

inline std::string including(const std::string& path, const std::string& header) {
  return told_of(path, "#include " + header + "\n");
}

}  // namespace gamehub::tests::tidy
