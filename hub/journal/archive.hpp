// The journal's file as the verbs and the league's tools read and change it, also while a hub
// writes it. Owned by the caller; one thread at a time.
#pragma once

#include "hub/journal/record.hpp"
#include "hub/journal/sqlite_journal.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::journal {

namespace sqlite {
class database;
}

enum class game_state : std::uint8_t { open, ended, quarantined };
std::string_view to_string(game_state);

struct archived_game {
  game_header header;
  game_state state = game_state::ended;
  std::string note;  // the reason of the quarantine
  std::vector<record> records;
  // Damage of the stored bytes: a wrong checksum, or bytes that can't be parsed. `records` are
  // those before it.
  std::optional<std::string> damage;
};

struct archive_totals {
  struct by_engine {
    std::string engine, version;
    std::uint64_t open = 0, ended = 0, quarantined = 0;
  };
  std::vector<by_engine> engines;
  std::uint64_t games = 0, records = 0;
  std::uint64_t file_bytes = 0, free_bytes = 0;
  base::wall_time oldest{}, newest{};  // the first and last end of a game
  int schema = 0;
};

// A failed read or write throws unusable_file.
class archive {
 public:
  virtual ~archive() = default;

  // Calls `take` for the given games, or for all if none is given, by ascending id, from one
  // snapshot of the file. Stops when `take` returns false.
  virtual void for_each(std::span<const game_id>,
                        const std::function<bool(archived_game&)>& take) = 0;

  // Counts games, records and bytes.
  virtual archive_totals totals() = 0;

  // Returns the first damage that SQLite's integrity check or the checksums of batches find.
  virtual std::optional<std::string> damage() = 0;

  // Copies one snapshot of the file in steps, so that a writing hub is not blocked. `progress` gets
  // the finished share (0 to 1). The target is replaced only by a complete copy.
  virtual void backup(const std::filesystem::path& to,
                      const std::function<void(double)>& progress) = 0;

  // Remove a player's name, resume digest and chat from all ended games, in bounded transactions.
  // `games` is the number of changed games. Open games are unchanged until they end; `open` counts
  // them.
  struct forgotten {
    std::uint64_t games = 0, open = 0;
  };
  virtual forgotten forget_player(player_id) = 0;
  virtual forgotten forget_name(const std::string&) = 0;
};

enum class access : std::uint8_t { read, change };

// Opens the file. Throws unusable_file, also if it does not exist.
std::unique_ptr<archive> open_archive(const std::filesystem::path&, access);

// Copies a database to a file that appears as a whole or not at all. Used by the archive and by the
// file of the league, on the calling thread. Requires: `from` is in a read transaction, and is the
// file `source`. Throws unusable_file if the target can't be written or is `source` itself.
void back_up(sqlite::database& from, const std::filesystem::path& source,
             const std::filesystem::path& to, const std::function<void(double)>& progress);

}  // namespace gamehub::journal
