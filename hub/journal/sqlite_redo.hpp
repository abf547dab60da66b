// The logs of games that have not ended, put together from the file: what was kept of them, then
// the batches. The journal does so when it opens, the archive when it reads. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hub/journal/journal.hpp"
#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

using batch_number = std::uint64_t;

struct open_log {
  std::string bytes;  // the header, then the records
  record_number records = 0;
  batch_number anchor = 0;  // the first batch with an entry that no row of `kept` has; 0: none
  bool kept = false;
  std::optional<std::string> quarantined;  // why
  std::optional<std::string> damage;
};

struct redo {
  struct batch {
    batch_number number = 0;
    std::uint64_t bytes = 0;
  };

  std::unordered_map<game_id, open_log> games;
  std::vector<batch> batches;
  journal::numbers last;
  wall_time last_written{};
  std::optional<std::string> damage;  // of a batch, the first; what follows it was read on
};

// Throws sqlite::error. Requires: a transaction.
redo read_redo(sqlite::database&, int schema);

// What the sum of a row is taken over.
std::int64_t sum_of_kept(game_id, record_number records, std::string_view log);
std::int64_t sum_of_batch(batch_number, wall_time, const journal::numbers&, std::string_view bytes);
std::int64_t sum_of_ended(game_id, wall_time ended, record_number records, std::string_view log);

}  // namespace gamehub::journal
