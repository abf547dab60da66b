// Numbers in the bytes of links: base 128, the least group first, as in the journal. Plain
// functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::link {

inline void append_number(std::uint64_t n, std::string& out) {
  for (; n >= 0x80; n >>= 7) out += static_cast<char>(n | 0x80);
  out += static_cast<char>(n);
}

inline std::size_t number_bytes(std::uint64_t n) {
  std::size_t bytes = 1;
  for (; n >= 0x80; n >>= 7) ++bytes;
  return bytes;
}

// Takes a number from the front. Nothing if it is cut off or over 64 bits.
inline std::optional<std::uint64_t> take_number(std::string_view& bytes) {
  std::uint64_t n = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (bytes.empty()) return std::nullopt;
    const auto group = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    if (shift == 63 && group > 1) return std::nullopt;
    n |= static_cast<std::uint64_t>(group & 0x7f) << shift;
    if ((group & 0x80) == 0) return n;
  }
  return std::nullopt;
}

}  // namespace gamehub::link
