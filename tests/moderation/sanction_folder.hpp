// A temporary folder with the file of bans and mutes.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace gamehub::tests {

struct sanction_folder {
  sanction_folder() {
    auto name = (std::filesystem::temp_directory_path() / "gamehub-book-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~sanction_folder() { std::filesystem::remove_all(path); }
  sanction_folder(const sanction_folder&) = delete;
  sanction_folder& operator=(const sanction_folder&) = delete;

  std::filesystem::path file() const { return path / "moderation.json"; }
  std::filesystem::path path;
};

}  // namespace gamehub::tests
