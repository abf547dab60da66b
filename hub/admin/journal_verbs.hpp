// `gamehub journal …`, `gamehub verify`, `gamehub cluster import` and `upgrade`. The journal is the
// one that `gamehub serve` uses with the same settings. On the program's only thread.
#pragma once

#include "hub/config/command_line.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::admin {

struct archive_request {
  enum class verb : std::uint8_t { export_, stats, backup, forget, verify, import_, upgrade };

  verb what = verb::stats;
  std::filesystem::path journal;      // of a cluster: words for people
  std::string cluster;                // the connection string of a database; empty: a file
  std::filesystem::path plugins;      // for export and verify: a folder of engines; empty: none
  std::vector<std::string> programs;  // the same: engines as ID=COMMAND
  std::vector<game_id> games;         // for export and verify; none: all
  // Output of export, empty: standard output; the copy of backup; the journal or the bans and
  // mutes to import.
  std::filesystem::path file;
  bool json = false;  // for stats and verify
  // For forget, one of them.
  std::optional<player_id> player;
  std::optional<std::string> name;
};

// Adds the verbs to a program.
void add_journal_verbs(config::verb& to, std::function<int(const archive_request&)> run);

// Prints to standard output, and progress to standard error if that is a terminal. Returns the
// program's exit code. Throws usage_error.
int carry_out(const archive_request&);

}  // namespace gamehub::admin
