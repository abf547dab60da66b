// The request of `gamehub engine new`. Plain values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace gamehub::tools::engine {

// Limits that keep the generated files readable and their lines short.
inline constexpr std::size_t new_engine_id_bytes_max = 40;
inline constexpr std::size_t new_engine_title_bytes_max = 48;
inline constexpr int new_engine_side_max = 64;  // rows or columns

struct new_engine_request {
  enum class language : std::uint8_t { cpp, c, python, rust, javascript };
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
  bool cards = false;  // a game of hidden cards, draws of chance and simultaneous choices
  // The program that reads the rules, if it is not the one in PATH.
  std::string interpreter = {};
};

}  // namespace gamehub::tools::engine
