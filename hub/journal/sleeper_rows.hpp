// The rows of games that are asleep, in the tables `asleep` and `asleep_keys` of a SQLite file:
// what adds and removes them. Owned by the writer of the file; used within its transactions, one
// thread at a time, and destroyed before the database. Failures throw sqlite::error.
#pragma once

#include "hub/journal/log_store.hpp"
#include "hub/journal/sqlite.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gamehub::journal {

class sleeper_rows {
 public:
  // A row of asleep_keys.
  struct key {
    std::int64_t hash = 0;
    std::uint64_t game = 0;
    friend auto operator<=>(const key&, const key&) = default;
  };

  sleeper_rows() = default;
  explicit sleeper_rows(sqlite::database&);

  // Adds a game with its keys, or changes what differs.
  void add(const log_batch::sleeping&);
  // Adds a game without its keys. Returns their hashes, 8 bytes each.
  std::string add_game(const log_batch::sleeping&);
  void add_key(const key&);
  // Calls `use` with each key of a game.
  template <class Use>
  static void for_each_key(const std::string& hashes, game_id, Use use);

  // Removes a game and its keys. Does nothing if it is not asleep.
  void remove(game_id);

 private:
  void change(const log_batch::sleeping&);
  // Returns the hashes of its keys; nothing: there is no such row.
  std::optional<std::string> keys_of(game_id);
  void drop_key(const key&);
  static std::int64_t hash_at(const std::string& hashes, std::size_t at);

  sqlite::statement find_, add_, change_, drop_, add_key_, drop_key_;
};

template <class Use>
void sleeper_rows::for_each_key(const std::string& hashes, game_id id, Use use) {
  for (std::size_t at = 0; at + sizeof(std::int64_t) <= hashes.size(); at += sizeof(std::int64_t))
    use(key{hash_at(hashes, at), id.value});
}

}  // namespace gamehub::journal
