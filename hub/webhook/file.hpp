// The file of webhooks: a SQLite database beside the journal with the webhooks of players and the
// events that are still to be sent. Owned by the service, which uses it on its thread; the hub
// holds its lock. A failure throws journal::sqlite::error, or journal::unusable_file with a
// sentence for the operator.
#pragma once

#include "hub/journal/sqlite.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/webhook/book.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::webhook {

class file {
 public:
  // Opens the file, and makes it if it does not exist. An empty path: the webhooks are in memory.
  file(const std::filesystem::path&, bool fsync_each_commit);

  // Return what was stored. The hosts of webhooks are left empty.
  std::vector<hook> hooks();
  std::vector<std::pair<std::string, event>> events();

  // Writes the changes in one transaction.
  void apply(const changes&);

 private:
  void put(const hook&);
  void put(const std::string& player, const event&);

  std::optional<journal::file_lock> lock_;
  journal::sqlite::database db_;
  journal::sqlite::statement put_hook_, put_event_, remove_hook_, remove_event_;
};

// Checks that a file that exists could be opened, and changes nothing. Throws
// journal::unusable_file.
void check_file(const std::filesystem::path&);

}  // namespace gamehub::webhook
