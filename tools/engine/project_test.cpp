#include "tools/engine/project.hpp"

#include "tests/support/catch.hpp"
#include "tools/engine/templates.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace gamehub::tools::engine {
namespace {

using language = new_engine_request::language;
using board = new_engine_request::board;

new_engine_request two_by(std::optional<board> cells, language in = language::cpp) {
  return {"last-stone", "Last Stone", 2, cells, in, "."};
}

std::string text_of(const new_engine_request& r, const std::string& name) {
  for (const auto& file : project_of(r))
    if (file.name == name) return file.text;
  return "no file " + name;
}

bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

// Checks the files of a project, but for words of the SDK, and returns their names.
std::vector<std::string> checked_files(const new_engine_request& of, const std::string& sdk = {}) {
  std::vector<std::string> names;
  for (const auto& file : project_of(of)) {
    names.push_back(file.name);
    CAPTURE(file.name);
    if (sdk.empty() || !file.name.starts_with(sdk)) CHECK_FALSE(has(file.text, "@"));
    CHECK(file.text.ends_with('\n'));
  }
  return names;
}

TEST_CASE("project: has all that a project needs, with every word filled in") {
  for (const auto in : {language::cpp, language::c})
    for (const auto& cells : {std::optional<board>{}, std::optional{board{6, 7}}}) {
      CHECK(checked_files(two_by(cells, in)) ==
            std::vector<std::string>{"CMakeLists.txt", "README.md",
                                     in == language::c ? "last_stone.c" : "last_stone.cpp",
                                     "last_stone_test.cpp", ".clang-format", ".gitignore"});
    }
}

TEST_CASE("project: in Python it has the SDK and a file for a hub's folder of plugins") {
  for (const auto& cells : {std::optional<board>{}, std::optional{board{6, 7}}}) {
    const auto request = two_by(cells, language::python);
    CHECK(checked_files(request, "gamehub_engine.py") ==
          std::vector<std::string>{"README.md", "last-stone.engine", "game_last_stone.py",
                                   "game_last_stone_test.py", "gamehub_engine.py"});
    CHECK(has(text_of(request, "last-stone.engine"), "\ncommand = python3 game_last_stone.py\n"));
    CHECK(has(text_of(request, "game_last_stone_test.py"), "from game_last_stone import "));
    CHECK(next_steps(request, {}) ==
          "made last-stone: game_last_stone.py has the rules, README.md the next steps\n\n"
          "  cd last-stone\n  python3 game_last_stone_test.py\n"
          "  gamehub-tools engine check ./last-stone.engine\n");
  }
}

TEST_CASE("project: in JavaScript it has the SDK's file beside the rules") {
  for (const auto& cells : {std::optional<board>{}, std::optional{board{6, 7}}}) {
    const auto request = two_by(cells, language::javascript);
    CHECK(checked_files(request, "gamehub_engine.mjs") ==
          std::vector<std::string>{"README.md", "last-stone.engine", "last_stone.mjs",
                                   "last_stone_test.mjs", "gamehub_engine.mjs"});
    CHECK(has(text_of(request, "last-stone.engine"), "\ncommand = node last_stone.mjs\n"));
    CHECK(has(text_of(request, "last_stone_test.mjs"), " from \"./last_stone.mjs\";\n"));
    CHECK(has(text_of(request, "README.md"), "    node last_stone_test.mjs "));
    CHECK(next_steps(request, {}) ==
          "made last-stone: last_stone.mjs has the rules, README.md the next steps\n\n"
          "  cd last-stone\n  node last_stone_test.mjs\n"
          "  gamehub-tools engine check ./last-stone.engine\n");
  }
}

TEST_CASE("project: in Rust it has the crate of the SDK") {
  for (const auto& cells : {std::optional<board>{}, std::optional{board{6, 7}}}) {
    const auto request = two_by(cells, language::rust);
    CHECK(checked_files(request, "gamehub-engine/") ==
          std::vector<std::string>{"README.md", "last-stone.engine", "Cargo.toml", "src/main.rs",
                                   ".gitignore", "gamehub-engine/Cargo.toml",
                                   "gamehub-engine/src/json.rs", "gamehub-engine/src/lib.rs",
                                   "gamehub-engine/src/matches.rs", "gamehub-engine/src/serve.rs",
                                   "gamehub-engine/src/state.rs", "gamehub-engine/src/wire.rs"});
    CHECK(has(text_of(request, "last-stone.engine"),
              "\ncommand = ./target/release/game-last-stone\n"));
    CHECK(has(text_of(request, "Cargo.toml"), "name = \"game-last-stone\"\n"));
    CHECK(next_steps(request, {}) ==
          "made last-stone: src/main.rs has the rules, README.md the next steps\n\n"
          "  cd last-stone\n  cargo test --offline\n  cargo build --release --offline\n"
          "  gamehub-tools engine check ./last-stone.engine\n");
  }
}

TEST_CASE("project: the rules follow the request") {
  auto request = two_by(board{6, 7});
  request.players = 3;
  const auto rules = text_of(request, "last_stone.cpp");
  CHECK(has(rules, "constexpr int rows = 6;"));
  CHECK(has(rules, "constexpr int columns = 7;"));
  CHECK(has(rules, "constexpr int players = 3;"));
  CHECK(has(rules, "constexpr int line = 3;"));
  CHECK(has(rules, "marks = \"XOA\""));
  CHECK(has(rules, ".id = \"last-stone\""));
  CHECK(has(rules, "GAMEHUB_ENGINE("));
  CHECK(
      has(text_of(request, "README.md"), "Change the state, `at`, `winner`, `to_move`, `apply`, "));
  request.cells = board{1, 2};
  CHECK(has(text_of(request, "last_stone.cpp"), "constexpr int line = 2;"));
  CHECK(has(text_of(two_by({}), "last_stone.cpp"), "constexpr int heap = 15;"));
  CHECK(has(text_of(two_by({}, language::c), "last_stone.c"), "enum { heap = 15"));
  CHECK(has(text_of(two_by(board{6, 7}, language::c), "last_stone.c"), "enum { rows = 6"));
  CHECK(has(text_of(two_by({}, language::c), "CMakeLists.txt"), "LANGUAGE C "));
}

TEST_CASE("project: with cards it has rules and a test in each language that has such rules") {
  for (const auto in : {language::cpp, language::python, language::rust, language::javascript}) {
    auto request = two_by({}, in);
    request.cards = true;
    request.players = 3;
    const auto names = checked_files(request, "gamehub");
    CHECK(has(text_of(request, "README.md"), "gets a card that only this player sees"));
    for (const auto& name : names)
      if (name.find("last_stone") != name.npos || name == "src/main.rs")
        CHECK(has(text_of(request, name), "stay"));
  }
}

TEST_CASE("project: a title is a title everywhere") {
  auto request = two_by({});
  request.title = "What?\?! @id@";
  CHECK(has(text_of(request, "last_stone.cpp"), R"(.title = "What\?\?! @id@")"));
  CHECK(has(text_of(request, "README.md"), "# What?\?! @id@\n"));
}

TEST_CASE("project: each seat has a different mark, and none is the blank") {
  auto request = two_by(board{3, 3});
  request.players = 62;
  const auto rules = text_of(request, "last_stone.cpp");
  const auto from = rules.find("marks = \"") + 9;
  const auto marks = rules.substr(from, rules.find('"', from) - from);
  CHECK(marks.size() == 62);
  CHECK(std::set<char>(marks.begin(), marks.end()).size() == 62);
  CHECK_FALSE(has(marks, "-"));
}

TEST_CASE("project: the templates are those of the tree") {
  std::vector<std::string> names;
  for (const auto& each : templates()) names.emplace_back(each.name);
  CHECK(names == std::vector<std::string>{"CMakeLists.txt",
                                          "Cargo.toml",
                                          "README.md",
                                          "README.rust.md",
                                          "README.script.md",
                                          "board.c",
                                          "board.cpp",
                                          "board.mjs",
                                          "board.py",
                                          "board.rs",
                                          "board_test.cpp",
                                          "board_test.mjs",
                                          "board_test.py",
                                          "cards.cpp",
                                          "cards.mjs",
                                          "cards.py",
                                          "cards.rs",
                                          "cards_test.cpp",
                                          "cards_test.mjs",
                                          "cards_test.py",
                                          "engine",
                                          "gitignore",
                                          "plain.c",
                                          "plain.cpp",
                                          "plain.mjs",
                                          "plain.py",
                                          "plain.rs",
                                          "plain_test.cpp",
                                          "plain_test.mjs",
                                          "plain_test.py",
                                          "clang-format",
                                          "gamehub_engine.py",
                                          "gamehub_engine.mjs",
                                          "gamehub-engine/Cargo.toml",
                                          "gamehub-engine/src/json.rs",
                                          "gamehub-engine/src/lib.rs",
                                          "gamehub-engine/src/matches.rs",
                                          "gamehub-engine/src/serve.rs",
                                          "gamehub-engine/src/state.rs",
                                          "gamehub-engine/src/wire.rs"});
}

TEST_CASE("project: the next steps depend on the location of the SDK") {
  auto request = two_by({});
  CHECK(next_steps(request, {"/opt/hub", true}) ==
        "made last-stone: last_stone.cpp has the rules, README.md the next steps\n\n"
        "  cd last-stone\n  cmake -B build && cmake --build build\n  ctest --test-dir build\n");
  request.into = "../games/";
  const auto text = next_steps(request, {"/opt/hub", false});
  CHECK(has(text, "  cd ../games/last-stone\n"));
  CHECK(has(text, "cmake -B build -DCMAKE_PREFIX_PATH=/opt/hub && "));
  const auto scripted = next_steps(two_by({}, language::python), {}, true);
  CHECK(has(scripted, "in last-stone.engine, write the path of the program in place of python3."));
  CHECK(has(scripted, "  python3 -c 'import sys; print(sys.executable)'\n"));
  auto named = two_by({}, language::python);
  named.interpreter = "/opt/python/bin/python3";
  CHECK(has(next_steps(named, {}, true), "last-stone.engine has the program, /opt/python/bin/"));
  CHECK(has(text_of(named, "last-stone.engine"),
            "\ncommand = /opt/python/bin/python3 game_last_stone.py\n"));
  named.interpreter = "/my tools/python3";
  CHECK(has(text_of(named, "last-stone.engine"), "\ncommand = \"/my tools/python3\" game_"));
  CHECK(
      has(next_steps(two_by({}, language::javascript), {}, true), "  node -p process.execPath\n"));
  const auto lacking = next_steps(request, {});
  CHECK(has(lacking, "cmake --install build/release --prefix PREFIX\n"));
  CHECK(has(lacking, "cmake -B build -DCMAKE_PREFIX_PATH=PREFIX && "));
}

}  // namespace
}  // namespace gamehub::tools::engine
