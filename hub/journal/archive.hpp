// The journal's file, as tools read it: also while a hub writes to it. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hub/journal/record.hpp"
#include "hub/journal/sqlite_journal.hpp"

namespace gamehub::journal {

enum class game_state : std::uint8_t { open, ended, quarantined };
std::string_view to_string(game_state);

struct archived_game {
  game_header header;
  game_state state = game_state::ended;
  std::string note;  // why it is in quarantine
  std::vector<record> records;
  // What is wrong with the stored bytes: a sum that does not agree, or what can't be read. The
  // records are those before it.
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
  wall_time oldest{}, newest{};  // ends of games
  int schema = 0;
};

// What can't be read or written throws unusable_file.
class archive {
 public:
  virtual ~archive() = default;

  // Games by ascending number, those given or all, of one moment. Stops when `take` says false.
  virtual void for_each(std::span<const game_id>,
                        const std::function<bool(archived_game&)>& take) = 0;

  virtual archive_totals totals() = 0;

  // What SQLite itself finds wrong with the file; nothing: it is sound.
  virtual std::optional<std::string> damage() = 0;

  // A copy of one moment, made in pieces, so that a hub that writes is never held up. `progress`
  // hears the share that is done. The target is replaced only by a whole copy.
  virtual void backup(const std::filesystem::path& to,
                      const std::function<void(double)>& progress) = 0;

  // Takes a player's name, secret and chat out of all ended games, a bounded number at a time;
  // returns the games changed. Those still open keep them until they have ended; `open` counts
  // those.
  struct forgotten {
    std::uint64_t games = 0, open = 0;
  };
  virtual forgotten forget_player(player_id) = 0;
  virtual forgotten forget_name(const std::string&) = 0;
};

enum class access : std::uint8_t { read, change };

// Throws unusable_file, also for a file that is not there.
std::unique_ptr<archive> open_archive(const std::filesystem::path&, access);

}  // namespace gamehub::journal
