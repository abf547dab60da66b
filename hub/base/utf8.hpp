// UTF-8 as every wire takes it: only the shortest spelling of a character counts, no surrogates,
// nothing above U+10FFFF. Plain functions, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gamehub::base::utf8 {

// Bytes of the character that starts the text, or 0 if none does.
inline std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto within = [&](std::size_t i, unsigned low, unsigned high) {
    return byte(i) >= low && byte(i) <= high;
  };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return within(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = within(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && within(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = within(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && within(2, 0x80, 0xBF) && within(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

// The character that starts the text. Requires: character_bytes(text) is `bytes`, not 0.
inline char32_t character(std::string_view text, std::size_t bytes) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (bytes == 1) return lead;
  char32_t out = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i)
    out = out << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return out;
}

// Asks `holds` of each character. False also where the text is not UTF-8.
template <class Holds>
bool all_of(std::string_view text, Holds holds) {
  while (!text.empty()) {
    const auto bytes = character_bytes(text);
    if (bytes == 0 || !holds(character(text, bytes))) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

inline bool valid(std::string_view text) {
  // Most texts are ASCII: eight characters at once.
  for (std::uint64_t eight = 0; text.size() >= sizeof eight; text.remove_prefix(sizeof eight)) {
    std::memcpy(&eight, text.data(), sizeof eight);
    if ((eight & 0x8080808080808080) != 0) break;
  }
  return all_of(text, [](char32_t) { return true; });
}

// Controls of ASCII and Latin-1: what no line of text has.
constexpr bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

// What makes a line look like another: separators of lines, and changes of direction.
constexpr bool is_disguise(char32_t c) {
  return c == 0x2028 || c == 0x2029 || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace gamehub::base::utf8
