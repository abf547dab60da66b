#include "hub/base/text.hpp"

#include "hub/base/unicode.hpp"

#include <algorithm>

namespace gamehub::base {
namespace {

// Counts the characters of valid UTF-8.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) c = lower(c);
  return out;
}

bool same_letters(std::string_view text, std::string_view in_lower) {
  return std::equal(text.begin(), text.end(), in_lower.begin(), in_lower.end(),
                    [](char a, char b) { return lower(a) == b; });
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const auto from = text.find_first_not_of(blanks);
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) + 1 - from);
}

std::optional<std::string_view> text_after(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == text.npos) return std::nullopt;
  return text.substr(at + key.size());
}

void append_hex(std::uint64_t number, std::string& out) {
  for (int shift = 60; shift >= 0; shift -= 4) out += hex_digits[(number >> shift) & 15];
}

std::string hex_of(std::string_view bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += hex_digits[byte >> 4];
    out += hex_digits[byte & 15];
  }
  return out;
}

std::string grouped(std::uint64_t number) {
  auto out = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3)
    out.insert(static_cast<std::size_t>(at), 1, ',');
  return out;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return grouped(number).append(" ").append(what) + (number == 1 ? "" : "s");
}

std::string text_table(std::vector<text_row> rows, std::size_t left) {
  for (auto& row : rows)
    for (auto& cell : row) cell = unicode::escape_hidden(cell);
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i >= widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - width_of(row[i]), ' ');
      if (i > 0) line += "  ";
      line += i < left ? row[i] + blanks : blanks + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace gamehub::base
