// The command lines of `gamehub token …` and `gamehub arena …`. Which file or which running hub
// they mean is found as `gamehub serve` finds its own. Read once, on the program's only thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "hub/app/operate/admin_flags.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app {

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
  };
  enum class output : std::uint8_t { table, csv, json };

  verb what = verb::list;
  // Of those that look into files.
  std::filesystem::path arena, journal;
  // Of those that ask a running hub.
  admin_place at;

  std::string owner;  // of a token
  output as = output::table;
  std::string engine;                // of run and ratings; of ratings, empty: all
  std::uint32_t games = 2;           // of each pair
  bool gauntlet = false;             // the first bot against each, and not each against each
  bool detach = false;               // not to wait for the end
  std::vector<std::string> bots;     // of run; none: all that are online
  std::chrono::seconds patience{0};  // for a bot that is away
  std::uint64_t run = 0;             // of show and cancel
  bool recompute = false;            // of ratings: from the journal, and write them
  std::filesystem::path copy;        // of backup: where it is to lie
};

// Requires: argv[0] is the program, argv[1] the verb.
std::variant<arena_request, reply> parse_arena(int argc, const char* const* argv,
                                               const environment&);

}  // namespace gamehub::app
