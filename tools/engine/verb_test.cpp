#include "tools/engine/verb.hpp"

#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace gamehub::tools::engine {
namespace {

namespace fs = std::filesystem;

class scratch_folder {
 public:
  scratch_folder() {
    auto name = (fs::temp_directory_path() / "new-engine-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error{"mkdtemp " + name};
    path_ = name;
  }
  ~scratch_folder() { fs::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  const fs::path& path() const { return path_; }
  int entries() const { return static_cast<int>(std::distance(fs::directory_iterator{path_}, {})); }

 private:
  fs::path path_;
};

std::string mistake(const new_engine_request& r) {
  try {
    make_project(r);
  } catch (const base::usage_error& what) {
    return base::format_error(what);
  }
  return "no mistake";
}

TEST_CASE("verb: makes a folder with the files of the project") {
  const scratch_folder folder;
  const new_engine_request r{"x-1", "X", 2, {}, new_engine_request::language::cpp, folder.path()};
  make_project(r);
  CHECK(folder.entries() == 1);
  for (const auto& file : project_of(r)) {
    std::ifstream in{folder.path() / "x-1" / file.name};
    CHECK(std::string{std::istreambuf_iterator<char>{in}, {}} == file.text);
  }
}

TEST_CASE("verb: changes no existing file, and leaves no incomplete folder") {
  const scratch_folder folder;
  const new_engine_request r{"x", "X", 2, {}, new_engine_request::language::cpp, folder.path()};
  const auto is_there = [&] {
    CHECK(mistake(r).find("already exists and is not changed") != std::string::npos);
    CHECK(folder.entries() == 1);
  };
  fs::create_directory(folder.path() / "x");
  is_there();
  CHECK(fs::is_empty(folder.path() / "x"));
  fs::remove(folder.path() / "x");
  fs::create_symlink("nowhere", folder.path() / "x");
  is_there();
  fs::remove(folder.path() / "x");
  std::ofstream{folder.path() / "x"} << "mine";
  is_there();
  fs::remove(folder.path() / "x");

  auto elsewhere = r;
  elsewhere.into = folder.path() / "gone";
  CHECK(mistake(elsewhere).find("which is not a folder: create it") != std::string::npos);
  // Not even root can create a folder here.
  elsewhere.into = "/proc";
  CHECK(mistake(elsewhere).find("can't be created (") != std::string::npos);
  // What a program left that was killed is no hindrance.
  fs::create_directory(folder.path() / "x.part");
  CHECK(mistake(r) == "no mistake");
  CHECK(folder.entries() == 1);
}

TEST_CASE("verb: finds the SDK beside the program, and whether CMake would by itself") {
  const scratch_folder folder;
  const auto program = folder.path() / "bin/gamehub";
  CHECK(find_sdk(program, "").prefix.empty());
  fs::create_directories(folder.path() / "share/cmake/gamehub-engine");
  fs::create_directory(folder.path() / "bin");
  CHECK(find_sdk(program, "").prefix == folder.path());
  CHECK_FALSE(find_sdk(program, "").found_by_cmake);
  CHECK_FALSE(find_sdk(program, "/usr/bin::/nowhere:").found_by_cmake);
  const auto bin = (folder.path() / "bin").string();
  CHECK(find_sdk(program, bin).found_by_cmake);
  CHECK(find_sdk(program, "/usr/bin:" + bin + "/:/bin").found_by_cmake);
}

}  // namespace
}  // namespace gamehub::tools::engine
