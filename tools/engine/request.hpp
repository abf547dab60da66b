// What `gamehub engine new` is asked for, and how its command line is read. Plain values; read
// once, on the program's only thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "hub/app/settings.hpp"

namespace gamehub::app {

// Bounds that keep what is made readable, and every line of it short.
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
  std::filesystem::path into = ".";  // the folder in which that of the project is made
};

// Requires: argv[0] is the program, and "engine" and "new" follow. A mistake is a reply, too.
std::variant<new_engine_request, reply> parse_new_engine(int argc, const char* const* argv);

}  // namespace gamehub::app
