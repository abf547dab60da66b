#include "hub/journal/sqlite_bytes.hpp"

#include "hub/journal/encoding.hpp"

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
  append_varint(e.game.value, out);
  append_varint(e.count << 2 | static_cast<std::uint64_t>(e.what), out);
  append_varint(e.first, out);
  append_varint(e.bytes.size(), out);
  out.append(e.bytes);
}

std::optional<batch_entry> take_entry(std::string_view& bytes) {
  batch_entry e;
  std::uint64_t kind_and_count = 0, size = 0;
  if (!take_varint(bytes, e.game.value) || !take_varint(bytes, kind_and_count) ||
      !take_varint(bytes, e.first) || !take_varint(bytes, size) || size > bytes.size())
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
