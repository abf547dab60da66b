// What `cmake --install` gives to authors of engines: it is whole, stands anywhere, and builds an
// engine with CMake or without.
#include "tests/support/catch.hpp"
#include "tests/system/installation.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::system {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// The folder itself or a file in it, not a sibling whose name begins like the folder's.
bool names_folder(std::string_view text, std::string_view folder) {
  for (auto at = text.find(folder); at != text.npos; at = text.find(folder, at + 1)) {
    const auto end = at + folder.size();
    const auto next = static_cast<unsigned char>(end < text.size() ? text[end] : '/');
    if (!std::isalnum(next) && next != '_' && next != '-' && next != '.') return true;
  }
  return false;
}

void check_names_no_place_of_ours(const installation& at) {
  for (const auto& file : at.files()) {
    const auto text = contents_of(at.prefix() + "/" + file);
    CAPTURE(file);
    CHECK_FALSE(names_folder(text, GAMEHUB_SOURCE_DIR));
    CHECK_FALSE(names_folder(text, GAMEHUB_BUILD_DIR));
    CHECK_FALSE(names_folder(text, at.prefix()));
  }
}

void check_sdk_run(const run_result& result) {
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 0);
}

TEST_CASE("sdk: an installation has what an engine needs, and names no place of ours") {
  const installation at{"sdk"};
  CHECK(at.files() == std::vector<std::string>{
                          "include/gamehub/engines/abi.h",
                          "include/gamehub/engines/abi_adapter.hpp",
                          "include/gamehub/engines/abi_adapter_extensions.hpp",
                          "include/gamehub/engines/action.hpp",
                          "include/gamehub/engines/border.hpp",
                          "include/gamehub/engines/border_extensions.hpp",
                          "include/gamehub/engines/dice.hpp",
                          "include/gamehub/engines/grid_game.hpp",
                          "include/gamehub/engines/json.h",
                          "include/gamehub/engines/json.hpp",
                          "include/gamehub/engines/option_schema.hpp",
                          "include/gamehub/engines/plugin.hpp",
                          "include/gamehub/engines/testing.hpp",
                          "share/cmake/gamehub-engine/gamehub-engine-config-version.cmake",
                          "share/cmake/gamehub-engine/gamehub-engine-config.cmake",
                          "share/cmake/gamehub-engine/gamehub-engine-targets.cmake",
                          "share/cmake/gamehub-engine/gamehub_add_engine.cmake",
                          "share/doc/gamehub/LICENSE",
                          "share/gamehub/javascript/gamehub_engine.mjs",
                          "share/gamehub/javascript/last_stone.mjs",
                          "share/gamehub/python/gamehub_engine.py",
                          "share/gamehub/python/last_stone.py",
                          "share/gamehub/rust/Cargo.toml",
                          "share/gamehub/rust/examples/last_stone.rs",
                          "share/gamehub/rust/src/json.rs",
                          "share/gamehub/rust/src/lib.rs",
                          "share/gamehub/rust/src/matches.rs",
                          "share/gamehub/rust/src/serve.rs",
                          "share/gamehub/rust/src/state.rs",
                          "share/gamehub/rust/src/wire.rs",
                          "share/pkgconfig/gamehub-engine.pc",
                      });
  check_names_no_place_of_ours(at);
}

TEST_CASE("sdk: the programs are a separate component") {
  const installation at{"program"};
  CHECK(at.files() == std::vector<std::string>{"bin/gamehub", "bin/gamehub-tools"});
  // Sanitizers name the sources of what they watch.
  if (!sanitized) check_names_no_place_of_ours(at);
  check_sdk_run(at.shell(at.prefix(),
                         "[[ $(command -v gamehub) == $PWD/bin/gamehub ]]; "
                         "gamehub engines | grep -q tictactoe; "
                         "gamehub-tools engine check --quick tictactoe"));
}

TEST_CASE("sdk: each header compiles alone, without a warning") {
  const installation at{"sdk"};
  const auto folder = at.make_folder("alone");
  const std::string strict = " -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I" + at.prefix() +
                             "/include/gamehub alone.";
  int compiled = 0;
  std::vector<std::string> untried;
  const auto compile = [&](const std::string& compiler, const std::string& file) {
    if (!has_tool(compiler.substr(0, compiler.find(' ')))) {
      untried.push_back(compiler);
      return;
    }
    CAPTURE(compiler, file);
    check_sdk_run(at.shell(folder, compiler + strict + file));
    ++compiled;
  };
  for (const auto& each : fs::directory_iterator{at.prefix() + "/include/gamehub/engines"}) {
    const auto include = "#include \"engines/" + each.path().filename().string() + "\"\n";
    std::ofstream{folder + "/alone.c"} << include;
    std::ofstream{folder + "/alone.cpp"} << include << include;
    for (const std::string compiler : {"g++", "clang++-14"})
      compile(compiler + " -std=c++20", "cpp");
    if (each.path().extension() != ".h") continue;
    for (const std::string compiler : {"gcc", "clang-14"}) compile(compiler + " -std=c99", "c");
  }
  if (!untried.empty()) WARN("there is no " << untried.front() << ": not tried");
  CHECK(compiled >= 9);
}

TEST_CASE("sdk: CMake finds the border's version, and no other major or newer minor one") {
  const installation at{"sdk"};
  const auto folder = at.make_folder("versions");
  std::ofstream{folder + "/CMakeLists.txt"} << R"(cmake_minimum_required(VERSION 3.16)
project(versions LANGUAGES NONE)
foreach(wanted 0.9 1.0 1.1 1.2 1.99 2.0)
  find_package(gamehub-engine ${wanted} CONFIG QUIET)
  string(APPEND found " ${wanted}:${gamehub-engine_FOUND}")
endforeach()
message(STATUS "found${found}")
)";
  const auto result = at.shell(folder, "cmake -B build .");
  CAPTURE(result.output, result.errors);
  CHECK(result.output.find("found 0.9:0 1.0:1 1.1:1 1.2:1 1.99:0 2.0:0\n") != std::string::npos);
}

TEST_CASE("sdk: a call of gamehub_add_engine that can't be meant is refused in a sentence") {
  const installation at{"sdk"};
  const auto folder = at.make_folder("mistakes");
  const auto said = [&](const std::string& call) {
    std::ofstream{folder + "/CMakeLists.txt"}
        << "cmake_minimum_required(VERSION 3.16)\nproject(mistakes LANGUAGES C)\n"
           "find_package(gamehub-engine REQUIRED)\n"
        << call << '\n';
    return at.shell(folder, "cmake -B build . 2>&1 | tr -s '\\n ' ' '").output;
  };
  std::ofstream{folder + "/x.c"} << "\n";
  CHECK(said("gamehub_add_engine(x x.c)").find("give the engine's sources after SOURCES") !=
        std::string::npos);
  CHECK(said("gamehub_add_engine(x SOURCES x.c LANGUAGE D)").find("LANGUAGE D): give C or CXX") !=
        std::string::npos);
  CHECK(said("gamehub_add_engine(x SOURCES x.c LANGUAGE C)").find("Generating done") !=
        std::string::npos);
}

// The second example, an engine in plain C, as those build it who have nothing but the SDK.
std::string copy_of_chomp(const installation& at) {
  const auto folder = at.make_folder("chomp");
  fs::copy(std::string{GAMEHUB_SOURCE_DIR} + "/engines/sdk/examples/chomp", folder);
  return folder;
}

TEST_CASE("sdk: an engine in plain C is built with the package for CMake, and checked by ctest") {
  const installation at;
  const auto folder = copy_of_chomp(at);
  check_sdk_run(at.shell(folder,
                         "cmake -B build -DCMAKE_COMPILE_WARNING_AS_ERROR=ON . && "
                         "cmake --build build"));
  const auto tested = at.shell(folder, "ctest --test-dir build --no-tests=error");
  CAPTURE(tested.output);
  CHECK(tested.exit_code == 0);
  CHECK(tested.output.find("100% tests passed, 0 tests failed out of 1") != std::string::npos);
}

TEST_CASE("sdk: the examples in C++ are built with the package, and ctest tests their rules") {
  const installation at;
  for (const std::string example : {"pig", "seek"}) {
    CAPTURE(example);
    const auto folder = at.make_folder(example);
    fs::copy(std::string{GAMEHUB_SOURCE_DIR} + "/engines/sdk/examples/" + example, folder);
    check_sdk_run(at.shell(folder,
                           "cmake -B build -DCMAKE_COMPILE_WARNING_AS_ERROR=ON . && "
                           "cmake --build build"));
    const auto tested = at.shell(folder, "ctest --test-dir build --no-tests=error");
    CAPTURE(tested.output);
    CHECK(tested.output.find("100% tests passed, 0 tests failed out of 2") != std::string::npos);
  }
  // A rule that does not hold is a failed test.
  const auto folder = at.make_folder("wrong");
  fs::copy(std::string{GAMEHUB_SOURCE_DIR} + "/engines/sdk/examples/seek", folder);
  check_sdk_run(at.shell(folder,
                         "sed -i 's/shots_max = 5/shots_max = 4/' seek.cpp && cmake -B build . && "
                         "cmake --build build"));
  const auto tested = at.shell(folder, "ctest --test-dir build --output-on-failure -R seek_rules");
  CAPTURE(tested.output);
  CHECK(tested.exit_code != 0);
  CHECK(tested.output.find("seek_test.cpp:") != std::string::npos);
}

TEST_CASE("sdk: an engine in plain C is built with cc and pkg-config alone") {
  const installation at;
  if (!has_tool("pkg-config")) {
    WARN("there is no pkg-config: not run");
    return;
  }
  const auto folder = copy_of_chomp(at);
  // As chomp/README.md says it.
  const auto readme = contents_of(folder + "/README.md");
  const auto from = readme.find("    cc ");
  REQUIRE(from != readme.npos);
  check_sdk_run(at.shell(folder, readme.substr(from)));
  const auto exported = at.shell(folder, "nm -D --defined-only chomp.so | grep -c ' T '");
  CHECK(exported.output == "1\n");
}

}  // namespace
}  // namespace gamehub::tests::system
