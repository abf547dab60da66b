#include "hub/plugins/plugin_folder.hpp"

#include "engines/host/loader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"

#include <fstream>
#include <mutex>
#include <set>

namespace gamehub::plugins {
namespace {

using tests::plugin_folder;

// A probe with given results that records the probed files.
struct judge {
  std::mutex guard;
  std::set<std::string> bad;
  std::multiset<std::string> asked;

  folder::probe probe() {
    return [this](const std::filesystem::path& file) -> std::optional<std::string> {
      const std::lock_guard lock{guard};
      const auto name = file.filename().string();
      asked.insert(name);
      return bad.contains(name) ? std::optional{file.string() + ": it is bad"} : std::nullopt;
    };
  }
};

// "a.so last-cell 1.0.0", or "a.so: why".
std::vector<std::string> words(const std::vector<plugin>& all) {
  std::vector<std::string> out;
  for (const auto& p : all) {
    const auto name = p.file.filename().string();
    out.push_back(p.engine
                      ? name + ' ' + std::string{p.engine->id()} + ' ' + p.engine->version_text()
                      : name + ": " + p.why);
  }
  return out;
}

using lines = std::vector<std::string>;

TEST_CASE("folder: loads what ends in .so, sorted by name, and passes over the rest") {
  const plugin_folder files;
  judge j;
  folder f{files.path(), j.probe()};
  files.put("later/last_cell_1.1.so", "b.so");
  files.put("good/last_cell_1.0.so", "a.so");
  files.put("good/last_cell_1.0.so", "a.so.old");
  std::filesystem::create_directory(files / "folder.so");
  CHECK(words(f.scan()) == lines{"a.so last-cell 1.0.0", "b.so last-cell 1.1.0"});
  CHECK(f.loaded() == 2);
  CHECK(f.refused() == 0);
  CHECK(f.scan().empty());
  CHECK(j.asked == std::multiset<std::string>{"a.so", "b.so"});
}

TEST_CASE("folder: does not load what its probe refuses, and probes it again in the next scan") {
  const plugin_folder files;
  judge j;
  folder f{files.path(), j.probe()};
  files.put("good/last_cell_1.0.so", "a.so");
  j.bad = {"a.so"};
  for (int i = 0; i < 2; ++i) CHECK(words(f.scan()) == lines{"a.so: it is bad"});
  CHECK(f.refused() == 1);
  // It was never loaded: another file may come in its place.
  files.put("later/last_cell_1.1.so", "a.so");
  j.bad.clear();
  CHECK(words(f.scan()) == lines{"a.so last-cell 1.1.0"});
  CHECK(f.refused() == 0);
  CHECK(words(f.all()) == lines{"a.so last-cell 1.1.0"});
}

TEST_CASE("folder: reports the error of the loader for a plugin that its probe accepted") {
  const plugin_folder files;
  judge j;
  folder f{files.path(), j.probe()};
  files.put("bad/null_table.so", "a.so");
  CHECK(words(f.scan()) == lines{"a.so: there is no engine: the plugin returned nothing"});
}

TEST_CASE("folder: refuses a file that changed after it was loaded, and keeps its engine") {
  const plugin_folder files;
  judge j;
  folder f{files.path(), j.probe()};
  files.put("good/last_cell_1.0.so", "a.so");
  REQUIRE(f.scan().size() == 1);
  files.put("later/last_cell_1.1.so", "a.so");
  const auto why =
      "a.so: it was changed after it was loaded, and loaded code stays: give each release a file "
      "name of its own";
  CHECK(words(f.scan()) == lines{why});
  CHECK(words(f.all()) == lines{"a.so last-cell 1.0.0", why});
  // As it says.
  std::filesystem::rename(files / "a.so", files / "b.so");
  CHECK(words(f.scan()) == lines{"b.so last-cell 1.1.0"});
  CHECK(f.loaded() == 2);
  CHECK(f.refused() == 0);
  CHECK(j.asked.count("a.so") == 1);
}

TEST_CASE("folder: loads the same file once under several names") {
  const plugin_folder files;
  judge j;
  folder f{files.path(), j.probe()};
  files.put("good/last_cell_1.0.so", "a.so");
  std::filesystem::create_hard_link(files / "a.so", files / "b.so");
  CHECK(words(f.scan()) == lines{"a.so last-cell 1.0.0", "b.so: it is loaded already, as a.so"});
  CHECK(words(f.scan()) == lines{"b.so: it is loaded already, as a.so"});
  CHECK(j.asked.count("b.so") == 1);
}

TEST_CASE("folder: does not load a file that changed during its probe") {
  const plugin_folder files;
  files.put("good/last_cell_1.0.so", "a.so");
  folder f{files.path(), [&](const std::filesystem::path&) {
             std::ofstream{files / "a.so", std::ios::app} << "more";
             return std::optional<std::string>{};
           }};
  CHECK(words(f.scan()) ==
        lines{"a.so: it was changed while it was looked at: look again when it is whole"});
  CHECK(f.loaded() == 0);
}

TEST_CASE("folder: keeps an engine whose file was removed, and forgets a refused file") {
  const plugin_folder files;
  judge j;
  j.bad = {"b.so"};
  folder f{files.path(), j.probe()};
  files.put("good/last_cell_1.0.so", "a.so");
  files.put("good/last_cell_1.0.so", "b.so");
  REQUIRE(f.scan().size() == 2);
  for (const auto* name : {"a.so", "b.so"}) std::filesystem::remove(files / name);
  CHECK(f.scan().empty());
  CHECK(words(f.all()) == lines{"a.so last-cell 1.0.0"});
}

TEST_CASE("folder: an engine that the catalog refused stays refused") {
  const plugin_folder files;
  judge j;
  folder f{files.path(), j.probe()};
  files.put("good/last_cell_1.0.so", "a.so");
  REQUIRE(f.scan().size() == 1);
  f.refuse(files / "a.so", "it is no good here");
  CHECK(words(f.all()) == lines{"a.so: it is no good here"});
  CHECK(f.loaded() == 0);
}

TEST_CASE("folder: probes several plugins in parallel, each once") {
  const plugin_folder files;
  judge j;
  folder f{files.path(), j.probe()};
  std::multiset<std::string> names;
  for (char c = 'a'; c <= 'p'; ++c) names.insert(std::string{c} + ".so");
  j.bad = {names.begin(), names.end()};
  for (const auto& name : names) files.put("good/last_cell_1.0.so", name);
  CHECK(f.scan().size() == names.size());
  CHECK(j.asked == names);
}

TEST_CASE("folder: takes .engine files and programs as it takes plugins") {
  const plugin_folder files;
  judge j;
  j.bad = {"b=b"};
  // Any plugin stands for the engine of a program.
  const auto open = [](const std::filesystem::path& file) {
    return engines::host::load(plugin_folder::original(file == "a=a" ? "good/last_cell_1.0.so"
                                                                     : "later/last_cell_1.1.so"));
  };
  std::ofstream{files / "c.engine"} << "command = ./c\n";
  folder f{files.path(), j.probe(), open, {"a=a", "b=b"}};
  CHECK(words(f.scan()) ==
        lines{"a=a last-cell 1.0.0", "b=b: it is bad", "c.engine last-cell 1.1.0"});
  // A refused one is tried again.
  j.bad.clear();
  CHECK(words(f.scan()) == lines{"b=b last-cell 1.1.0"});
  CHECK(f.scan().empty());
  folder alone{{}, j.probe(), open, {"a=a"}};
  CHECK(words(alone.scan()) == lines{"a=a last-cell 1.0.0"});
}

TEST_CASE("folder: throws where there is no folder") {
  const plugin_folder files;
  folder f{files / "nowhere", [](const auto&) { return std::optional<std::string>{}; }};
  CHECK_THROWS_AS(f.scan(), std::filesystem::filesystem_error);
}

}  // namespace
}  // namespace gamehub::plugins
