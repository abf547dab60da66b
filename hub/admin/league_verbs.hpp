// `gamehub token …` and `gamehub arena …`. The file, the cluster's database or the running hub is
// the one of `gamehub serve` with the same settings. On the program's only thread.
#pragma once

#include "hub/admin/operator_verbs.hpp"
#include "hub/config/command_line.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gamehub::admin {

struct arena_request {
  enum class verb : std::uint8_t {
    token_add,
    token_list,
    token_revoke,
    list,
    run,
    show,
    cancel,
    ratings,
    backup,
    forget,
  };
  enum class output : std::uint8_t { table, csv, json };

  verb what = verb::list;
  // For verbs that read files.
  std::filesystem::path arena, journal;
  std::string cluster;  // the database that they read instead; empty: none
  // For verbs that ask a running hub.
  admin_place at;

  std::string owner;  // of a token, or of the bots to forget
  std::string bot;    // to forget
  output as = output::table;
  std::string engine;       // for run and ratings; empty for ratings: all
  std::uint32_t games = 2;  // of each pair of bots
  bool gauntlet = false;    // the first bot against each other one, instead of each against each
  bool detach = false;      // do not wait for the end
  std::vector<std::string> bots;      // for run; none: all online bots
  std::chrono::seconds patience{60};  // for a bot that is offline
  std::uint64_t run = 0;              // for show and cancel
  bool recompute = false;             // for ratings: compute them from the journal and store them
  std::filesystem::path copy;         // for backup
};

// Adds the verbs to a program.
void add_league_verbs(config::verb& to, std::function<int(const arena_request&)> run);

// Prints to standard output, and errors to standard error. Returns the program's exit code. Throws
// usage_error.
int carry_out(const arena_request&);

}  // namespace gamehub::admin
