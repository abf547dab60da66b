// The rules over the source tree, as functions from text to violations: who may include whom
// (layers.cpp holds the table), and what no source may contain (rules.cpp). They know nothing of
// files, so that tidy_test.cpp proves on a few lines of text that each rule can fail.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::tidy {

struct source_file {
  std::string path;  // from the root of the checkout, with '/'
  std::string text;
};

struct violation {
  std::string path;
  std::size_t line = 0;  // from 1
  std::string what;      // the rule, and what to do instead
};

// Everything that is wrong with this file alone. Files that are not C++ get the rules for any text.
std::vector<violation> check(const source_file&);

// The part of `check` that is about #include lines.
std::vector<violation> check_includes(const source_file&);

// What is wrong with where files are: a unit's test lies beside the unit.
std::vector<violation> check_places(const std::vector<std::string>& paths);

}  // namespace gamehub::tests::tidy
