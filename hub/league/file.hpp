// The league's file: a SQLite database beside the journal with bots, tokens, scheduled matches,
// results and ratings. Owned by the file store or by a verb; one thread at a time. Several programs
// may open it; the hub holds its lock. A failure throws journal::sqlite::error, or
// journal::unusable_file with a sentence for the operator.
#pragma once

#include "hub/journal/sqlite.hpp"
#include "hub/league/store.hpp"
#include "hub/league/token.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::league {

class file {
 public:
  enum class access : std::uint8_t { read, change };

  // Opens the file. With access::change it creates the file with its folders and migrates the
  // tables.
  file(const std::filesystem::path&, access, bool fsync_each_commit = false);

  // Begin and end a transaction.
  void begin() { db_.run("BEGIN IMMEDIATE"); }
  void commit() { db_.run("COMMIT"); }
  void roll_back() noexcept { db_.roll_back(); }

  // Write changes, and replace all ratings. Require: a transaction.
  void apply(const changes&);
  void replace_ratings(const std::vector<rating>&);

  // Reads everything that a league loads at the start.
  saved load(base::wall_time ended_since);
  std::vector<bot_record> bots();
  std::vector<rating> ratings();
  // Deletes matches outside of tournaments that ended before. Requires: a transaction.
  void forget_fixtures(base::wall_time ended_before);

  // Copies one snapshot of the file, also while a hub writes. Replaces an existing target once the
  // copy is complete. Throws journal::unusable_file if the target can't be written.
  void backup(const std::filesystem::path& to);

  // Adds a token.
  void add_token(const token_entry&);
  // Revokes the tokens of an owner. Returns how many.
  std::size_t revoke_tokens(const std::string& owner, base::wall_time now);
  std::vector<token_entry> tokens();
  // Returns the owner of a valid token; nothing: it is unknown or revoked.
  std::optional<std::string> owner_of(const std::string& digest);

 private:
  void put(const bot_record&);
  void put(const scheduled_match&);
  void put(const failure&);
  void put(const rating&);
  void put(const tournament&);
  void remove(bot_id);

  std::filesystem::path path_;
  journal::sqlite::database db_;
  journal::sqlite::statement put_bot_, put_fixture_, put_failure_, put_rating_, put_run_,
      trim_failures_, withdraw_;
};

// Returns a sentence that says why the file can't be opened.
std::string why_unusable(const std::filesystem::path&, const journal::sqlite::error&);

}  // namespace gamehub::league
