#include "hub/journal/sqlite_bytes.hpp"

namespace gamehub::journal {

namespace {

// Odd, so that a step loses nothing: two different words never give the same sum (the constant is
// that of SplitMix64's first round).
constexpr std::uint64_t factor = 0xbf58476d1ce4e5b9;

std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * factor;
  return sum ^ (sum >> 29);
}

std::uint64_t word_at(const char* bytes, std::size_t size) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i)
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return word;
}

void put(std::uint64_t n, std::string& out) {
  for (; n > 0x7f; n >>= 7) out.push_back(static_cast<char>((n & 0x7f) | 0x80));
  out.push_back(static_cast<char>(n));
}

bool take(std::string_view& bytes, std::uint64_t& n) {
  n = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto group = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    n |= std::uint64_t{group & 0x7fu} << shift;
    if ((group & 0x80) == 0) return true;
  }
  return false;
}

}  // namespace

std::int64_t sum_of(std::initializer_list<std::uint64_t> numbers, std::string_view bytes) {
  std::uint64_t sum = bytes.size();
  for (const auto n : numbers) sum = mixed(sum, n);
  while (bytes.size() >= 8) {
    sum = mixed(sum, word_at(bytes.data(), 8));
    bytes.remove_prefix(8);
  }
  if (!bytes.empty()) sum = mixed(sum, word_at(bytes.data(), bytes.size()));
  return static_cast<std::int64_t>(sum);
}

void append_entry(const batch_entry& e, std::string& out) {
  put(e.game.value, out);
  put(e.count << 2 | static_cast<std::uint64_t>(e.what), out);
  put(e.first, out);
  put(e.bytes.size(), out);
  out.append(e.bytes);
}

std::optional<batch_entry> take_entry(std::string_view& bytes) {
  batch_entry e;
  std::uint64_t kind_and_count = 0, size = 0;
  if (!take(bytes, e.game.value) || !take(bytes, kind_and_count) || !take(bytes, e.first) ||
      !take(bytes, size) || size > bytes.size())
    return std::nullopt;
  const auto what = kind_and_count & 3;
  if (what > static_cast<std::uint64_t>(batch_entry::kind::gone)) return std::nullopt;
  e.what = static_cast<batch_entry::kind>(what);
  e.count = kind_and_count >> 2;
  e.bytes = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return e;
}

}  // namespace gamehub::journal
