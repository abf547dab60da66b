// Recovery: rebuilds the logs of open games from the file, first from the rows of `kept`, then from
// the batches; also the byte format of a batch and the checksums of rows. The journal uses it when
// it opens, the archive when it reads. Plain values and functions; any thread.
#pragma once

#include "hub/journal/journal.hpp"
#include "hub/journal/sqlite.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gamehub::journal {

// Returns a checksum. It differs if any number or any single byte differs; it detects accidental
// damage, not forgery. Identical on every machine.
std::int64_t sum_of(std::initializer_list<std::uint64_t> numbers, std::string_view bytes);

// An entry of a batch. A batch has its entries in the order of the calls.
struct batch_entry {
  enum class kind : std::uint8_t {
    header,   // the game was opened: `bytes` is its header
    records,  // `bytes` are `count` records, numbered from `first`
    gone,     // the game ended or went into quarantine: its complete log is in another table
  };

  game_id game;
  kind what = kind::records;
  std::uint64_t count = 0;
  record_number first = 0;
  std::string_view bytes;
};

// Appends an entry.
void append_entry(const batch_entry&, std::string& out);

// Takes an entry from the front. Returns nothing if the bytes are damaged.
std::optional<batch_entry> take_entry(std::string_view& bytes);

using batch_number = std::uint64_t;

struct open_log {
  std::string bytes;  // the header, then the records
  record_number records = 0;
  batch_number anchor = 0;  // the first batch with records that no row of `kept` has; 0: none
  bool kept = false;        // there is a row of `kept`
  std::optional<std::string> quarantined;  // the reason
  std::optional<std::string> damage;
};

struct open_game_recovery {
  struct batch {
    batch_number number = 0;
    std::uint64_t bytes = 0;
  };

  std::unordered_map<game_id, open_log> games;
  std::vector<batch> batches;
  journal::numbers last;
  base::wall_time last_written{};
  std::optional<std::string> damage;  // the first damage of a batch; later batches were still read
};

// Reads the logs of all open games and those in quarantine. Throws sqlite::error. Requires: a
// transaction.
open_game_recovery recover_open_games(sqlite::database&, int schema);

// Return the checksums of rows of `kept`, `batches` and `games`.
std::int64_t checksum_of_retained(game_id, record_number records, std::string_view log);
std::int64_t sum_of_batch(batch_number, base::wall_time, const journal::numbers&,
                          std::string_view bytes);
std::int64_t sum_of_ended(game_id, base::wall_time ended, record_number records,
                          std::string_view log);

}  // namespace gamehub::journal
