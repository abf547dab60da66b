// The rules over the source tree, as functions from text to violations. They read no files, so
// that the tests prove on a few lines of text that each rule can fail. Pure functions; callable
// from any thread.
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

// A folder that uses another one, and where it does.
struct use {
  std::string from;
  std::string to;
  std::string path;
  std::size_t line = 0;
};

// All rules that need one file only. A file that is not C++ gets the rules for any text.
std::vector<violation> check(const source_file&);

// The parts of `check` that apply the layer table: #include lines and namespaces.
std::vector<violation> check_includes(const source_file&);
std::vector<violation> check_namespaces(const source_file&);

// The rule on the place of tests: a unit's test is in the folder of the unit.
std::vector<violation> check_places(const std::vector<std::string>& paths);

// The folders that the #include lines use. Tests are left out: they may use any folder.
std::vector<use> include_graph(const std::vector<source_file>&);

// The layer table applied to the link lines of all CMakeLists.txt. Tests are left out.
std::vector<violation> check_links(const std::vector<source_file>&);
std::vector<use> link_graph(const std::vector<source_file>&);

// One violation for one cycle of the graph, with its path; none if the graph is acyclic.
std::vector<violation> check_cycles(const std::vector<use>&);

// The rule on the runbook, deploy/README.md: what it quotes as a text of the hub, such as a line of
// the log, is a string literal of the sources.
std::vector<violation> check_runbook(const std::vector<source_file>&);

// The words that are not plain technical English, in comments, string literals, READMEs and `dev`.
// The baseline has a row `count path` for each file that still has such words: the rule refuses
// more of them, and also fewer, so that the row is corrected with the text.
std::vector<violation> check_words(const std::vector<source_file>&, std::string_view baseline);

// The baseline that fits these files, and the sum of its counts.
std::string words_baseline(const std::vector<source_file>&);
std::size_t sum_of_baseline(std::string_view baseline);

}  // namespace gamehub::tests::tidy
