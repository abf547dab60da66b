// The rule on the runbook: the texts of the hub that it quotes are in the sources.
#include "tests/tidy/rules.hpp"
#include "tests/tidy/text.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace gamehub::tests::tidy {
namespace {

constexpr std::string_view runbook_path = "deploy/README.md";

// The first words of quotations that are no texts of the hub: commands, and settings with a value.
constexpr std::string_view commands[] = {"curl", "docker", "gamehub", "kubectl", "openssl"};
constexpr std::size_t words_min = 3;

bool is_blank(char c) { return c == ' ' || c == '\n'; }

std::string on_one_line(std::string_view text) {
  std::string out;
  for (const auto c : text)
    if (!is_blank(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  return out;
}

struct quotation {
  std::string text;
  std::size_t line = 0;
};

// The `quotations` of a document, fenced blocks left out.
std::vector<quotation> quotations_of(std::string_view document) {
  std::vector<quotation> found;
  std::size_t line = 1, began = 0;
  bool fenced = false, inside = false;
  std::string text;
  for (std::size_t at = 0; at < document.size(); ++at) {
    const auto c = document[at];
    if (document.substr(at, 3) == "```") {
      fenced = !fenced, at += 2;
    } else if (c == '`' && !fenced) {
      if (inside) found.push_back({on_one_line(text), began});
      inside = !inside, began = line, text.clear();
    } else if (inside) {
      text += c;
    }
    if (c == '\n') ++line;
  }
  return found;
}

// A sentence or a part of one, as the log and the pages of the hub have them.
bool is_text_of_hub(std::string_view text) {
  const auto words = std::count(text.begin(), text.end(), ' ') + 1;
  const auto first = text.substr(0, text.find(' '));
  return words >= static_cast<std::ptrdiff_t>(words_min) && !text.empty() &&
         std::islower(static_cast<unsigned char>(text.front())) != 0 &&
         text.find(" = ") == text.npos &&
         std::find(std::begin(commands), std::end(commands), first) == std::end(commands);
}

// The parts between what stands for other text: `…` and numbers.
std::vector<std::string> parts_of(std::string text) {
  constexpr std::string_view dots = "…";
  for (auto at = text.find(dots); at != text.npos; at = text.find(dots))
    text.replace(at, dots.size(), "0");
  std::vector<std::string> out(1);
  for (const auto c : text)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0)
      out.back() += c;
    else if (!out.back().empty())
      out.emplace_back();
  std::erase(out, "");
  return out;
}

// All string literals of the sources but those of tests; adjacent ones are one.
std::string literals_of(const std::vector<source_file>& files) {
  std::string out;
  for (const auto& file : files) {
    if (!is_source(file.path) || file.path.starts_with("tests/") ||
        file.path.find("_test.") != file.path.npos)
      continue;
    // Each quote that is left there begins or ends a literal.
    const auto code = code_of(file.text);
    for (auto at = code.find('"'); at != code.npos;) {
      const auto end = code.find('"', at + 1);
      if (end == code.npos) break;
      out += file.text.substr(at + 1, end - at - 1);
      at = code.find('"', end + 1);
      const auto next = std::find_if_not(code.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                                         code.end(), is_blank);
      if (at == code.npos || next - code.begin() != static_cast<std::ptrdiff_t>(at)) out += '\n';
    }
  }
  return out;
}

}  // namespace

std::vector<violation> check_runbook(const std::vector<source_file>& files) {
  std::vector<violation> found;
  const auto runbook = std::find_if(files.begin(), files.end(),
                                    [](const auto& file) { return file.path == runbook_path; });
  if (runbook == files.end()) return {{std::string{runbook_path}, 1, "is not there"}};
  const auto literals = literals_of(files);
  for (const auto& [text, line] : quotations_of(runbook->text)) {
    if (!is_text_of_hub(text)) continue;
    for (const auto& part : parts_of(text))
      if (literals.find(part) == literals.npos)
        found.push_back({std::string{runbook_path}, line,
                         "quotes '" + text + "', but no source has '" + part +
                             "': quote the text that the hub writes"});
  }
  return found;
}

}  // namespace gamehub::tests::tidy
