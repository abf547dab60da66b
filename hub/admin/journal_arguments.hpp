// The command lines of `gamehub journal …` and `gamehub verify`. Which journal they mean is a
// setting, found as `gamehub serve` finds its own. Read once, on the program's only thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hub/app/settings.hpp"
#include "hub/core/ids.hpp"

namespace gamehub::app {

struct archive_request {
  enum class verb : std::uint8_t { export_, stats, backup, forget, verify };

  verb what = verb::stats;
  std::filesystem::path journal;
  std::filesystem::path plugins;  // of export and verify: a folder of engines; empty: none
  std::vector<game_id> games;     // of export and verify: these alone; none: all
  std::filesystem::path file;     // where export writes, empty: standard output; the copy of backup
  bool json = false;              // of stats and verify
  // Of forget, one of them.
  std::optional<player_id> player;
  std::optional<std::string> name;
};

// Requires: argv[0] is the program, argv[1] the verb.
std::variant<archive_request, reply> parse_archive(int argc, const char* const* argv,
                                                   const environment&);

}  // namespace gamehub::app
