// Recovery: rebuilds the logs of open games from rows of the store, first from those of `kept`,
// then from the batches; also the byte format of a batch and the checksums of rows. Stores use it
// when they open, the archive when it reads. Plain values and functions; any thread.
#pragma once

#include "hub/journal/journal.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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
    gone,     // the game ended, went into quarantine or was handed over: its log is elsewhere
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
  // There is a row of `asleep` with its first records: it was asleep, and went on since.
  struct filed_row {
    record_number records = 0;
    base::wall_time due{};
  };
  std::optional<filed_row> filed;
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

// Rebuilds the logs of all open games and those in quarantine. Takes all rows of `kept`, then all
// batches by ascending number; then finish().
class recovery {
 public:
  struct kept_row {
    game_id id;
    record_number records = 0;
    std::int64_t sum = 0;
    std::string_view log;
    std::optional<std::string> quarantined;
    std::optional<open_log::filed_row> filed = {};
  };
  void add_kept(const kept_row&);
  // Adds a game that is not in memory otherwise, and returns its log.
  static open_log& add_row(const kept_row&, open_game_recovery& to);

  struct batch_row {
    batch_number number = 0;
    base::wall_time at{};
    journal::numbers last;
    std::int64_t sum = 0;
    std::string_view bytes;
  };
  void add_batch(const batch_row&);

  // Returns the logs. The functions are asked about games with records and without a header: the
  // row of `asleep` has the beginning of one that went on, and the log of one that has ended is
  // elsewhere; that of another lacks its beginning, which is damage.
  using row_finder = std::function<std::optional<kept_row>(game_id)>;
  open_game_recovery finish(const std::function<bool(game_id)>& has_ended,
                            const row_finder& find_asleep = {});

 private:
  void note_damage(std::string what);
  void apply_entries(std::string_view bytes);
  void apply(const batch_entry&);
  void apply_records(const batch_entry&);

  // Records of a game whose beginning no batch has.
  struct part {
    batch_number batch = 0;
    std::uint64_t count = 0;
    record_number first = 0;
    std::string bytes;
  };

  open_game_recovery all_;
  batch_number number_ = 0;
  std::unordered_map<game_id, std::vector<part>> headless_;
};

// Return the checksums of rows of `kept`, `batches` and `games`.
std::int64_t checksum_of_retained(game_id, record_number records, std::string_view log);
std::int64_t sum_of_batch(batch_number, base::wall_time, const journal::numbers&,
                          std::string_view bytes);
std::int64_t sum_of_ended(game_id, base::wall_time ended, record_number records,
                          std::string_view log);

}  // namespace gamehub::journal
