// The runbook of deploy/README.md promises log lines. A test that produces such a line takes its
// text through promised().
#pragma once

#include "tests/support/catch.hpp"

#include <fstream>
#include <regex>
#include <sstream>
#include <string>

namespace gamehub::tests::system {

// Returns the text of a log line, after a check that the runbook quotes it.
inline std::string promised(const std::string& line) {
  std::ostringstream runbook;
  runbook << std::ifstream{std::string{GAMEHUB_SOURCE_DIR} + "/deploy/README.md"}.rdbuf();
  CAPTURE(line);
  static const std::regex end_of_line{"\n *"};
  const auto text = std::regex_replace(runbook.str(), end_of_line, " ");
  CHECK(text.find('`' + line + '`') != std::string::npos);
  return line;
}

}  // namespace gamehub::tests::system
