// A folder of plugins for one test, filled with copies of those in tests/plugins and removed at the
// end. A value; one thread.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <stdlib.h>
#include <string>

namespace gamehub::tests {

class plugin_folder {
 public:
  plugin_folder() {
    auto name = (std::filesystem::temp_directory_path() / "gamehub-plugins-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error{"there is no temporary folder"};
    path_ = name;
  }
  ~plugin_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  plugin_folder(const plugin_folder&) = delete;
  plugin_folder& operator=(const plugin_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  // "good/last_cell_1.0.so"
  static std::filesystem::path original(const std::string& name) {
    return std::filesystem::path{GAMEHUB_TEST_PLUGINS} / name;
  }

  // As an operator should: under another name first, then in one step. Another file that lay there
  // under that name is replaced.
  void put(const std::string& plugin, const std::string& as) const {
    const auto part = path_ / "part";
    std::filesystem::copy_file(original(plugin), part);
    std::filesystem::rename(part, path_ / as);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace gamehub::tests
