#include "engines/process/engine_files.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>
#include <vector>

namespace gamehub::engines::process {
namespace {

namespace fs = std::filesystem;
using paths = std::vector<std::string>;

// A folder with some files, of which those in `bin` can be executed.
class folder {
 public:
  folder() {
    auto name = (fs::temp_directory_path() / "gamehub-files-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = fs::canonical(name);
  }
  ~folder() { fs::remove_all(path_); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  void write(const std::string& name, const std::string& text = "") const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream{path_ / name} << text;
    if (name.find("bin/") != name.npos) fs::permissions(path_ / name, fs::perms{0755});
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool has(const paths& all, const std::string& what) {
  return std::find(all.begin(), all.end(), what) != all.end();
}

TEST_CASE("engine_files: an engine of the hub reads nothing, a plugin its folder and libraries") {
  const folder here;
  here.write("mine/hex.so");
  CHECK(readable_files("tictactoe").empty());
  const auto found = readable_files(here / "mine/hex.so");
  CHECK(found.front() == here / "mine");
  CHECK(has(found, "/usr/lib"));
  CHECK_FALSE(has(found, "/usr"));
  CHECK_FALSE(has(found, here.path().string()));
}

TEST_CASE("engine_files: a link leads to two folders") {
  const folder here;
  here.write("releases/hex-1.so");
  fs::create_directory(here / "plugins");
  fs::create_symlink(here / "releases/hex-1.so", here / "plugins/hex.so");
  const auto found = readable_files(here / "plugins/hex.so");
  CHECK(has(found, here / "plugins"));
  CHECK(has(found, here / "releases"));
}

TEST_CASE("engine_files: a program reads its folder and those of the files that it is given") {
  const folder here;
  here.write("mine/engine");
  here.write("game/game.py");
  here.write("data/book");
  CHECK(files_of_program({"./mine/engine"}, here.path(), "") ==
        paths{here / "./mine", here / "mine"});
  CHECK(files_of_program({here / "mine/engine", "game/game.py", "--rows=3", "data"}, here.path(),
                         "") == paths{here / "mine", here / "game", here / "data"});
  // Only the first one is a script.
  CHECK(files_of_program({"./none", "", "game/game.py", "data/book"}, here.path(), "") ==
        paths{here / ".", here / "game", here / "data/book"});
  CHECK(files_of_program({}, here.path(), "").empty());
}

TEST_CASE("engine_files: a program without a slash is searched for, with the libraries beside it") {
  const folder here;
  here.write("bin/game");
  here.write("etc/other");
  const auto search = here / "etc" + ":" + (here / "bin");
  CHECK(files_of_program({"game"}, here.path(), search) ==
        paths{here / "bin", here / "lib", here / "lib64", here / "pyvenv.cfg"});
  // It can't be executed.
  CHECK(files_of_program({"other"}, here.path(), search).empty());
  CHECK(files_of_program({"none"}, here.path(), search).empty());
}

TEST_CASE("engine_files: the root folder is never readable") {
  CHECK(files_of_program({"/engine", "/"}, "/", "") == paths{"/engine"});
}

TEST_CASE("engine_files: a file names the program, from its folder") {
  const folder here;
  here.write("bin/engine");
  here.write("plugins/mine.engine", "command = ../bin/engine\n");
  const auto found = readable_files(here / "plugins/mine.engine");
  CHECK(has(found, here / "plugins"));
  CHECK(has(found, here / "bin"));
  CHECK(has(found, "/usr"));
  CHECK(has(readable_files("x=" + (here / "bin/engine") + " y"), here / "bin"));
  // What is wrong with it is said by the process, which reads it.
  here.write("plugins/bad.engine", "nonsense\n");
  CHECK(has(readable_files(here / "plugins/bad.engine"), here / "plugins"));
}

}  // namespace
}  // namespace gamehub::engines::process
