// The folder of plugins: which of its files became engines, and why the others did not. A file is
// tried elsewhere before it is loaded here, for code that was loaded runs in this program and stays
// until its end. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engines/engine.hpp"
#include "engines/loader.hpp"

namespace gamehub::app::plugins {

// What became of one file.
struct plugin {
  std::filesystem::path file;
  std::optional<engines::engine> engine;
  std::string why;  // else: what is wrong, without the file's name
};

// "plugin refused: /plugins/a.so: it is no engine."
std::string refusal_of(const plugin&);

class folder {
 public:
  // Says what is wrong with the engine of a file, if anything is, at no risk to this program. Must
  // be good for calls by several threads.
  using probe = std::function<std::optional<std::string>(const std::filesystem::path&)>;

  // The engine of a file that was tried, or why there is none.
  using opener =
      std::function<std::variant<engines::engine, std::string>(const std::filesystem::path&)>;

  folder(std::filesystem::path where, probe, opener = engines::load);

  // Takes in what is new in the folder, and tries again what was refused. Returns what came of
  // those files, sorted by name. Throws std::filesystem::filesystem_error if there is no reading
  // the folder.
  std::vector<plugin> scan();

  // The engine of this file, which scan() has loaded, is not taken after all.
  void refuse(const std::filesystem::path& file, std::string why);

  // All files, sorted by name: what was loaded, even if its file has gone since, and what was
  // refused in the latest scan.
  std::vector<plugin> all() const;
  std::size_t loaded() const { return loaded_.size(); }
  std::size_t refused() const { return refused_.size(); }

 private:
  // By which a file is known again.
  struct identity {
    std::uint64_t device = 0, inode = 0, bytes = 0;
    std::int64_t changed_ns = 0;

    friend auto operator<=>(const identity&, const identity&) = default;
  };
  struct found {
    std::filesystem::path file;
    identity is;
  };

  static std::optional<identity> identity_of(const std::filesystem::path&);
  std::vector<found> look() const;
  std::optional<std::string> why_not(const found&) const;
  plugin load(const found&, const std::optional<std::string>& fault);

  const std::filesystem::path where_;
  const probe trial_;
  const opener open_;
  // What was brought into this program under these names, taken or not.
  std::map<std::filesystem::path, identity> code_loaded_;
  std::map<std::filesystem::path, plugin> loaded_, refused_;
};

}  // namespace gamehub::app::plugins
