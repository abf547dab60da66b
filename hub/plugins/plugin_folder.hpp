// The plugin folder and the programs of --engine: those that were loaded as engines, and the
// refused ones with their reasons. Each is probed in another process before it is loaded, because
// loaded code runs in this process and can't be unloaded. Owned by plugin_set; one thread at a
// time.
#pragma once

#include "engines/host/engine.hpp"
#include "engines/process/direct_channel.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::plugins {

// One file of the folder, or one program.
struct plugin {
  std::filesystem::path file;  // of a program: ID=COMMAND
  std::optional<engines::host::engine> engine;
  std::string why;            // the reason if it was refused, without the file's name
  std::string examples = {};  // of its moves, as JSON; empty: none
};

// What a probe has found.
struct probed {
  probed() = default;
  probed(std::optional<std::string> why) : refusal(std::move(why)) {}

  std::optional<std::string> refusal;  // a sentence if the plugin can't be used
  std::string examples;                // of its moves, as JSON; empty: none
};

// Returns a sentence such as "plugin refused: /plugins/a.so: it is no engine."
std::string refusal_of(const plugin&);

class folder {
 public:
  // Probes the engine of a file without a risk for this process. Several threads call it.
  using probe = std::function<probed(const std::filesystem::path&)>;

  // Loads the engine of a probed file, or returns a sentence that says why not.
  using opener =
      std::function<std::variant<engines::host::engine, std::string>(const std::filesystem::path&)>;

  // An empty path means no folder. A program is ID=COMMAND.
  folder(std::filesystem::path where, probe, opener = engines::process::open,
         std::vector<std::string> programs = {});

  // Probes and loads new and previously refused files and programs. Returns them, sorted by name.
  // Throws std::filesystem::filesystem_error if the folder can't be read.
  std::vector<plugin> scan();

  // Marks a file that scan() has loaded as refused.
  void refuse(const std::filesystem::path& file, std::string why);

  // Returns the loaded files (also those that were deleted since) and the refused files of the
  // latest scan, sorted by name.
  std::vector<plugin> all() const;
  std::size_t loaded() const { return loaded_.size(); }
  std::size_t refused() const { return refused_.size(); }

 private:
  // Identifies the contents of a file. A program has none.
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
  std::vector<found> list_files() const;
  std::optional<std::string> refuse_reason(const found&) const;
  plugin load(const found&, const probed&);

  const std::filesystem::path where_;
  const probe probe_;
  const opener open_;
  const std::vector<std::string> programs_;
  // Files whose code was loaded into this process, accepted or not.
  std::map<std::filesystem::path, identity> code_loaded_;
  std::map<std::filesystem::path, plugin> loaded_, refused_;
};

}  // namespace gamehub::plugins
