// Text: letter case of ASCII, blanks, hexadecimal digits, tables. Plain functions, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::base {

// Only ASCII letters have a case here: names of fields, schemes and hosts.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
std::string lower(std::string_view);

// True for the characters of words that are ids: of engines, of reasons of a refusal.
constexpr bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

// True if the texts differ at most in the case of letters. Requires: `in_lower` has no capital
// letter.
bool same_letters(std::string_view text, std::string_view in_lower);

// Without the blanks at both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

// What follows the first occurrence of `key`. Nothing without an occurrence.
std::optional<std::string_view> text_after(std::string_view text, std::string_view key);

inline constexpr std::string_view hex_digits = "0123456789abcdef";

// The value of a hexadecimal digit in either case, or -1.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// Appends exactly 16 digits, the most significant first.
void append_hex(std::uint64_t number, std::string& out);
// Two digits for each byte.
std::string hex_of(std::string_view bytes);

// 1,234,567
std::string grouped(std::uint64_t number);
// 1 move, 2,000 moves
std::string counted(std::uint64_t number, std::string_view what);

using text_row = std::vector<std::string>;

// One line for each row, two blanks between columns, each column as wide as its longest text in
// characters; what a terminal would hide or obey is escaped. The first `left` columns are aligned
// to the left, the others to the right.
std::string text_table(std::vector<text_row>, std::size_t left = static_cast<std::size_t>(-1));

}  // namespace gamehub::base
