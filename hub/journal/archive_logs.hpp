// What the archives of all databases do with the bytes of games: parse and count them, and remove
// the texts of a player. Plain values and functions; any thread.
#pragma once

#include "hub/journal/archive.hpp"
#include "hub/journal/recovery.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace gamehub::journal {

// Returns a game that is open or in quarantine. `damage_of_batches` is that of all open games.
archived_game open_game_of(game_id, const open_log&,
                           const std::optional<std::string>& damage_of_batches);

// A row of an ended game.
struct ended_row {
  game_id id;
  base::wall_time ended{};
  record_number records = 0;
  std::int64_t sum = 0;
  std::string_view log;
};
// Reads the game into a value that is used for one game after the other.
void read_ended_game(const ended_row&, archived_game&);

// Counts games into totals.
class archive_counter {
 public:
  explicit archive_counter(archive_totals& to) : totals_(to) {}
  void add_ended(base::wall_time ended, record_number records, std::string_view log);
  void add_open(const open_log&);
  void finish();

 private:
  archive_totals::by_engine& engine(std::string_view log);

  archive_totals& totals_;
  std::map<std::pair<std::string, std::string>, archive_totals::by_engine> engines_;
};

// Is true for the record `joined` of the player whose texts are removed.
using record_predicate = std::function<bool(const record&)>;

bool holds_any(std::string_view log, record_number records, const record_predicate&);

// Writes a log without the texts of the players to `out`. Returns true if it changed; otherwise,
// and for damaged bytes, `out` must not be used.
bool log_without(std::string_view log, record_number records, const record_predicate&,
                 std::string& out);

// The same for the entries of a batch. Entries of open games stay, because recovery needs them; all
// other entries are obsolete. `seats` are those of the players in games of earlier calls.
bool batch_without(std::string_view bytes, const open_game_recovery&, const record_predicate&,
                   std::unordered_map<game_id, seat_set>& seats, std::string& out);

}  // namespace gamehub::journal
