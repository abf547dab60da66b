// The word check: the words that are not plain technical English, and the baseline of files that
// still have them.
#include "tests/tidy/rules.hpp"
#include "tests/tidy/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <map>

namespace gamehub::tests::tidy {
namespace {

constexpr std::string_view baseline_path = "tests/tidy/words_baseline.txt";
constexpr std::string_view how_to_write =
    "mend the text, then write the baseline: GAMEHUB_WRITE_BASELINE=1 ./dev check";

// This file, the baseline and the tests name the words.
constexpr std::string_view exempt[] = {"tests/tidy/words*", "tests/tidy/graph_test.cpp"};

constexpr std::string_view words[] = {
    "nobody",     "whoever", "somebody", "anew",           "so many",  "as it is",
    "of its own", "is none", "are none", "who waits",      "who asks", "of their own",
    "what came",  "lest",    "ails",     "to whom it may",
};

bool is_checked(std::string_view path) {
  return (is_source(path) || path.ends_with(".md") || path == "dev") &&
         std::none_of(std::begin(exempt), std::end(exempt),
                      [&](std::string_view pattern) { return glob(pattern, path); });
}

// `word` in a document is a quotation.
std::string without_code_spans(std::string_view text) {
  std::string prose{text};
  auto inside = false;
  for (auto& c : prose) {
    if (c == '`') inside = !inside;
    if (c == '\n') inside = false;
    if (inside) c = '|';
  }
  return prose;
}

// In lower case, with one blank between words also where a line or a comment mark is between them.
std::string plain(std::string_view prose) {
  std::string text;
  for (const auto c : prose) {
    const auto byte = static_cast<unsigned char>(c);
    const auto blank = std::isspace(byte) != 0;
    if (!blank || text.empty() || text.back() != ' ')
      text += blank ? ' ' : static_cast<char>(std::tolower(byte));
  }
  return text;
}

std::string prose_of_file(const source_file& file) {
  if (is_source(file.path)) return prose_of(file.text);
  auto prose = file.path == "dev" ? file.text : without_code_spans(file.text);
  std::replace(prose.begin(), prose.end(), '#', ' ');
  return prose;
}

struct hits {
  std::size_t count = 0;
  std::string first;  // the line and the word of the first hit of each word
};

std::size_t line_of(std::string_view prose, std::string_view word) {
  std::size_t number = 0;
  for (const auto line : lines_of(prose)) {
    ++number;
    if (has_word(plain(line), word.substr(0, word.find(' ')))) return number;
  }
  return number;
}

hits hits_in(const source_file& file) {
  const auto prose = prose_of_file(file);
  const auto text = plain(prose);
  hits found;
  for (const auto word : words) {
    const auto count = count_word(text, word);
    if (count == 0) continue;
    found.count += count;
    found.first += (found.first.empty() ? "" : ", ") + std::string{word} + " (" +
                   std::to_string(count) + ", from line " + std::to_string(line_of(prose, word)) +
                   ")";
  }
  return found;
}

std::map<std::string, std::size_t> read_baseline(std::string_view text) {
  std::map<std::string, std::size_t> rows;
  for (const auto line : lines_of(text)) {
    const auto blank = line.find(' ');
    if (blank == line.npos) continue;
    std::from_chars(line.data(), line.data() + blank, rows[std::string{line.substr(blank + 1)}]);
  }
  return rows;
}

std::string row(std::size_t count, const std::string& path) {
  return std::to_string(count) + " " + path;
}

}  // namespace

std::vector<violation> check_words(const std::vector<source_file>& files,
                                   std::string_view baseline) {
  std::vector<violation> found;
  auto rows = read_baseline(baseline);
  for (const auto& file : files) {
    if (!is_checked(file.path)) continue;
    const auto allowed = rows[file.path];
    rows.erase(file.path);
    const auto now = hits_in(file);
    if (now.count > allowed)
      found.push_back({file.path, 1,
                       "has " + std::to_string(now.count) + " words that are not plain, but " +
                           std::to_string(allowed) + " are in " + std::string{baseline_path} +
                           ": " + now.first + ". Say it with a subject and a common term"});
    else if (now.count < allowed)
      found.push_back({std::string{baseline_path}, 1,
                       "has a stale row: " +
                           (now.count == 0 ? "remove '" + row(allowed, file.path) + "'"
                                           : "correct it to '" + row(now.count, file.path) + "'") +
                           "; " + std::string{how_to_write}});
  }
  for (const auto& [path, count] : rows)
    found.push_back(
        {std::string{baseline_path}, 1,
         "has a row of no file: remove '" + row(count, path) + "'; " + std::string{how_to_write}});
  return found;
}

std::string words_baseline(const std::vector<source_file>& files) {
  std::string text;
  for (const auto& file : files)
    if (is_checked(file.path))
      if (const auto now = hits_in(file); now.count > 0) text += row(now.count, file.path) + "\n";
  return text;
}

std::size_t sum_of_baseline(std::string_view baseline) {
  std::size_t sum = 0;
  for (const auto& [path, count] : read_baseline(baseline)) sum += count;
  return sum;
}

}  // namespace gamehub::tests::tidy
