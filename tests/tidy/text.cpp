#include "tests/tidy/text.hpp"

#include <cctype>
#include <cstddef>
#include <utility>

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

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// A comment, or the inside of a literal.
struct part {
  std::size_t begin;
  std::size_t end;
  bool is_comment;
};

std::size_t end_or(std::size_t found, std::size_t length, std::string_view text) {
  return found == text.npos ? text.size() : found + length;
}

std::vector<part> prose_parts(std::string_view text) {
  std::vector<part> parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto rest = text.substr(at);
    const auto inside_word = at > 0 && is_word(text[at - 1]);
    auto next = at + 1;
    if (rest.starts_with("//")) {
      next = end_or(text.find('\n', at), 0, text);
      parts.push_back({at, next, true});
    } else if (rest.starts_with("/*")) {
      next = end_or(text.find("*/", at + 2), 2, text);
      parts.push_back({at, next, true});
    } else if (rest.starts_with("R\"") && !inside_word) {
      next = after_raw(text, at + 1);
      parts.push_back({at + 2, next - 1, false});
    } else if (rest[0] == '"' || (rest[0] == '\'' && !inside_word)) {
      // A quote inside a number separates digits.
      next = after_quoted(text, at);
      parts.push_back({at + 1, next - 1, false});
    }
    at = next;
  }
  return parts;
}

std::string without_directives(std::string_view text, std::string prose) {
  auto is_directive = false;
  auto is_line_start = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_line_start && text[at] != ' ') is_directive = text[at] == '#';
    is_line_start = text[at] == '\n' || (is_line_start && text[at] == ' ');
    if (is_directive && text[at] != '\n') prose[at] = '|';
  }
  return prose;
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
  for (const auto& each : prose_parts(text))
    for (auto at = each.begin; at < each.end; ++at)
      if (code[at] != '\n') code[at] = ' ';
  return code;
}

std::string prose_of(std::string_view text) {
  std::string prose(text.size(), '|');
  for (std::size_t at = 0; at < text.size(); ++at)
    if (is_blank(text[at]) || text[at] == '"') prose[at] = text[at] == '\n' ? '\n' : ' ';
  for (const auto& each : prose_parts(text)) {
    auto is_line_start = false;
    for (auto at = each.begin; at < each.end; ++at) {
      // The slashes and stars of a comment, at its ends and at the start of its lines.
      const auto is_mark = (text[at] == '/' || text[at] == '*') && each.is_comment &&
                           (is_line_start || at < each.begin + 3 || at + 2 >= each.end);
      is_line_start = text[at] == '\n' || (is_line_start && (is_mark || text[at] == ' '));
      prose[at] = is_mark ? ' ' : text[at];
    }
  }
  return without_directives(text, std::move(prose));
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

bool has_word(std::string_view text, std::string_view word) { return count_word(text, word) > 0; }

std::size_t count_word(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const auto starts = at == 0 || !is_word(word.front()) || !is_word(text[at - 1]);
    const auto ends = end == text.size() || !is_word(word.back()) || !is_word(text[end]);
    if (starts && ends) ++count;
  }
  return count;
}

bool is_source(std::string_view path) {
  return path.ends_with(".hpp") || path.ends_with(".cpp") || path.ends_with(".h") ||
         path.ends_with(".c");
}

}  // namespace gamehub::tests::tidy
