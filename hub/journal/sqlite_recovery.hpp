// What the durable journal keeps in blobs, but for records themselves (encoding.hpp): the entries
// of a batch, and sums over bytes that tell damage. Plain functions, any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "hub/journal/record.hpp"

namespace gamehub::journal {

// Differs if any number differs or if one byte of `bytes` does; for chance, not for malice. The
// same on every machine.
std::int64_t sum_of(std::initializer_list<std::uint64_t> numbers, std::string_view bytes);

// A batch is a row of entries, in the order in which they came.
struct batch_entry {
  enum class kind : std::uint8_t {
    header,   // the game was opened: `bytes` is its header
    records,  // `bytes` are `count` records, numbered from `first`
    gone,     // the game ended or went into quarantine: its whole log lies elsewhere
  };

  game_id game;
  kind what = kind::records;
  std::uint64_t count = 0;
  record_number first = 0;
  std::string_view bytes;
};

void append_entry(const batch_entry&, std::string& out);

// Takes one from the front; nothing if the bytes are damaged.
std::optional<batch_entry> take_entry(std::string_view& bytes);

}  // namespace gamehub::journal
