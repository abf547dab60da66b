// The command lines of `gamehub journal …` and `gamehub verify`. The journal is the one that
// `gamehub serve` uses with the same settings. Read once, on the program's only thread.
#pragma once

#include "hub/config/settings.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::admin {

struct archive_request {
  enum class verb : std::uint8_t { export_, stats, backup, forget, verify };

  verb what = verb::stats;
  std::filesystem::path journal;
  std::filesystem::path plugins;  // for export and verify: a folder of engines; empty: none
  std::vector<game_id> games;     // for export and verify; none: all
  std::filesystem::path file;     // output of export, empty: standard output; the copy of backup
  bool json = false;              // for stats and verify
  // For forget, one of them.
  std::optional<player_id> player;
  std::optional<std::string> name;
};

// Requires: argv[0] is the program, argv[1] the verb.
std::variant<archive_request, config::early_exit> parse_archive(int argc, const char* const* argv,
                                                                const config::environment&);

}  // namespace gamehub::admin
