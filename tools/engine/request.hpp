// The command line of `gamehub engine new`. Plain values; read once, on the program's only thread.
#pragma once

#include "hub/config/settings.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace gamehub::tools::engine {

// Limits that keep the generated files readable and their lines short.
inline constexpr std::size_t new_engine_id_bytes_max = 40;
inline constexpr std::size_t new_engine_title_bytes_max = 48;
inline constexpr int new_engine_side_max = 64;  // rows or columns

struct new_engine_request {
  enum class language : std::uint8_t { cpp, c };
  struct board {
    int rows = 0;
    int columns = 0;
  };

  std::string id;
  std::string title;
  int players = 2;
  std::optional<board> cells;  // none: a game without a board
  language in = language::cpp;
  std::filesystem::path into = ".";  // the parent folder of the project
};

// Requires: argv[0] is the program, and "engine" and "new" follow. Returns an early_exit for
// help and for a mistake.
std::variant<new_engine_request, config::early_exit> parse_new_engine(int argc,
                                                                      const char* const* argv);

}  // namespace gamehub::tools::engine
