// The arena's file: a SQLite database of its own, beside the journal. Bots, tokens, fixtures,
// results and ratings lie in it, row by row; statements by name. One thread at a time; several
// programs may have it open, of which one, the hub, holds its lock. What fails throws
// journal::sqlite::error, or journal::unusable_file with a sentence for people.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hub/arena/store.hpp"
#include "hub/journal/sqlite.hpp"

namespace gamehub::arena {

struct token_entry {
  std::string owner;
  std::string digest;  // in hexadecimal
  wall_time made{};
  std::optional<wall_time> revoked;
};

class file {
 public:
  enum class access : std::uint8_t { read, change };

  // Makes it, with its folders, where it may be changed, and brings its tables to the newest form.
  file(const std::filesystem::path&, access, bool fsync_each_commit = false);

  void begin() { db_.run("BEGIN IMMEDIATE"); }
  void commit() { db_.run("COMMIT"); }
  void roll_back() noexcept { db_.roll_back(); }

  // Requires: a transaction.
  void apply(const changes&);
  void replace_ratings(const std::vector<rating>&);

  saved load(wall_time ended_since);
  std::vector<bot> bots();
  std::vector<rating> ratings();
  // Fixtures of no run that ended before go. Requires: a transaction.
  void forget_fixtures(wall_time ended_before);

  // A copy as of one moment, while a hub writes. What was there is replaced once the copy is whole.
  // Throws journal::unusable_file if it can't be written there.
  void backup(const std::filesystem::path& to);

  void add_token(const token_entry&);
  // How many there were to revoke.
  std::size_t revoke_tokens(const std::string& owner, wall_time now);
  std::vector<token_entry> tokens();
  std::optional<std::string> owner_of(const std::string& digest);

 private:
  void put(const bot&);
  void put(const fixture&);
  void put(const failure&);
  void put(const rating&);
  void put(const run&);

  std::filesystem::path place_;
  journal::sqlite::database db_;
  journal::sqlite::statement put_bot_, put_fixture_, put_failure_, put_rating_, put_run_,
      trim_failures_, withdraw_;
};

// Why the file can't be opened, for people.
std::string why_unusable(const std::filesystem::path&, const journal::sqlite::error&);

}  // namespace gamehub::arena
