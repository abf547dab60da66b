#include "tests/tidy/text.hpp"

#include <cctype>
#include <cstddef>

namespace gamehub::tests::tidy {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The index after the literal that begins at `at` with a quote.
std::size_t after_quoted(std::string_view text, std::size_t at) {
  const auto quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return at < text.size() ? at + 1 : text.size();
}

// The index after the raw literal whose quote is at `at`.
std::size_t after_raw(std::string_view text, std::size_t at) {
  const auto open = text.find('(', at);
  if (open == text.npos) return text.size();
  const auto end = ")" + std::string{text.substr(at + 1, open - at - 1)} + "\"";
  const auto close = text.find(end, open);
  return close == text.npos ? text.size() : close + end.size();
}

std::size_t end_or(std::size_t found, std::size_t length, std::string_view text) {
  return found == text.npos ? text.size() : found + length;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

std::string code_of(std::string_view text) {
  std::string code{text};
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (; from < to; ++from)
      if (code[from] != '\n') code[from] = ' ';
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto rest = text.substr(at);
    const auto inside_word = at > 0 && is_word(text[at - 1]);
    auto next = at + 1;
    if (rest.starts_with("//")) {
      next = end_or(text.find('\n', at), 0, text);
      blank(at, next);
    } else if (rest.starts_with("/*")) {
      next = end_or(text.find("*/", at + 2), 2, text);
      blank(at, next);
    } else if (rest.starts_with("R\"") && !inside_word) {
      next = after_raw(text, at + 1);
      blank(at + 2, next - 1);
    } else if (rest[0] == '"' || (rest[0] == '\'' && !inside_word)) {
      // A quote inside a number separates digits.
      next = after_quoted(text, at);
      blank(at + 1, next - 1);
    }
    at = next;
  }
  return code;
}

bool glob(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return path.empty();
  if (pattern[0] != '*')
    return !path.empty() && path[0] == pattern[0] && glob(pattern.substr(1), path.substr(1));
  const auto any = pattern.starts_with("**");
  const auto rest = pattern.substr(any ? 2 : 1);
  for (std::size_t taken = 0;; ++taken) {
    if (glob(rest, path.substr(taken))) return true;
    if (taken == path.size() || (!any && path[taken] == '/')) return false;
  }
}

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const auto starts = at == 0 || !is_word(word.front()) || !is_word(text[at - 1]);
    const auto ends = end == text.size() || !is_word(word.back()) || !is_word(text[end]);
    if (starts && ends) return true;
  }
  return false;
}

}  // namespace gamehub::tests::tidy
