// `gamehub engine new`: the created project builds without changes and keeps the contract, and a
// mistake is one sentence.
#include "tests/support/catch.hpp"
#include "tests/system/installation.hpp"

#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

void check_well(const run_result& result) {
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 0);
}

// Makes a project with these flags and does what it says is next, without a warning.
void check_project(const std::string& flags) {
  CAPTURE(flags);
  const installation at;
  const auto folder = at.make_folder("games");
  const auto made = at.shell(folder, "gamehub engine new new-game " + flags);
  check_well(made);
  const auto source = flags.find("--language c") == flags.npos ? "new_game.cpp" : "new_game.c";
  CHECK(made.output == std::string{"made new-game: "} + source +
                           " has the rules, README.md the next steps\n\n"
                           "  cd new-game\n  cmake -B build && cmake --build build\n"
                           "  ctest --test-dir build\n");
  const auto next = made.output.substr(made.output.find("\n\n"));
  const auto done = at.shell(folder, "export CFLAGS=-Werror CXXFLAGS=-Werror\n" + next);
  check_well(done);
  CHECK(done.output.find("100% tests passed, 0 tests failed out of 2") != std::string::npos);
  // A game that ends before it begins breaks no rule of the contract, but is no game.
  const auto checked =
      at.shell(folder, "gamehub engine check --seeds 3 new-game/build/new-game.so");
  CHECK(checked.output.find("new-game 1.0.0 keeps the contract: 3 games, ") == 0);
  CHECK(checked.output.find(", 0 plies") == std::string::npos);
  if (has_tool("clang-format-14"))
    check_well(
        at.shell(folder, std::string{"clang-format-14 --dry-run -Werror new-game/"} + source));
}

// Makes a project whose rules are a program, and does what it says is next: `steps`, in a shell
// that has run `before`. Returns what these print.
std::string output_of_program(const std::string& flags, const std::string& steps,
                              const std::string& before) {
  const installation at;
  const auto folder = at.make_folder("games");
  const auto made = at.shell(folder, before + "gamehub engine new 2048 " + flags);
  check_well(made);
  const auto next = made.output.substr(made.output.find("\n\n"));
  CHECK(next == "\n\n  cd 2048\n" + steps + "  gamehub-tools engine check ./2048.engine\n");
  const auto done = at.shell(
      folder, before + "set -e" + next.substr(0, next.size() - 1) + " --seeds 3 --seconds 200");
  check_well(done);
  // A game that ends before it begins breaks no rule of the contract, but is no game.
  CHECK(done.output.find(", 0 plies") == std::string::npos);
  return done.output;
}

TEST_CASE("new_engine: a board game in C++ builds unchanged and keeps the contract") {
  check_project("--players 2 --rows 6 --columns 7");
}

TEST_CASE("new_engine: a game without a board in C++ builds unchanged and keeps the contract") {
  check_project("--players 3 --title 'What?' ");
}

TEST_CASE("new_engine: a game of cards in C++ builds unchanged and keeps the contract") {
  check_project("--players 3 --cards");
}

TEST_CASE("new_engine: a board game in C builds unchanged and keeps the contract") {
  check_project("--players 4 --rows 5 --columns 6 --language c");
}

TEST_CASE("new_engine: a game without a board in C builds unchanged and keeps the contract") {
  check_project("--language c");
}

TEST_CASE("new_engine: games in Python pass their tests and keep the contract unchanged") {
  if (!has_tool("python3")) {
    WARN("there is no python3: not run");
    return;
  }
  // The interpreter itself: a version manager's script in PATH would have to start processes.
  const std::string path =
      "export PATH=$(dirname \"$(python3 -c 'import sys; print(sys.executable)')\"):$PATH\n";
  for (const std::string flags :
       {"--players 2 --rows 3 --columns 4", "--players 3 --title 'What?' ",
        "--players 1 --rows 1 --columns 1", "--players 62 --rows 2 --columns 2", "--cards",
        "--players 1 --cards", "--players 5 --cards"}) {
    CAPTURE(flags);
    const auto output =
        output_of_program("--language python " + flags, "  python3 game_2048_test.py\n", path);
    CHECK(output.starts_with("2048 1.0.0 keeps the contract: 3 games, "));
  }
}

TEST_CASE("new_engine: games in JavaScript pass their tests and keep the contract unchanged") {
  if (!has_tool("node")) {
    WARN("there is no node: not run");
    return;
  }
  for (const std::string flags :
       {"--players 3 --title 'What?' ", "--players 62 --rows 2 --columns 2", "--cards"}) {
    CAPTURE(flags);
    const auto output =
        output_of_program("--language javascript " + flags, "  node 2048_test.mjs\n", "");
    CHECK(output.find(" pass 2\n") != std::string::npos);
    CHECK(output.find("2048 1.0.0 keeps the contract: 3 games, ") != std::string::npos);
  }
}

TEST_CASE("new_engine: games in Rust build offline, pass their tests and keep the contract") {
  if (!has_tool("cargo")) {
    WARN("there is no cargo: not run");
    return;
  }
  for (const std::string flags :
       {"--players 3 --title 'What?' ", "--players 62 --rows 2 --columns 2", "--cards"}) {
    CAPTURE(flags);
    // Nothing is there that was downloaded before, and a warning is a mistake.
    const auto output = output_of_program(
        "--language rust " + flags, "  cargo test --offline\n  cargo build --release --offline\n",
        "export CARGO_HOME=$PWD/cargo RUSTFLAGS=-Dwarnings\n");
    CHECK(output.find("test result: ok. 2 passed; ") != std::string::npos);
    CHECK(output.find("2048 1.0.0 keeps the contract: 3 games, ") != std::string::npos);
  }
}

TEST_CASE("new_engine: the smallest and the largest game keep the contract") {
  for (const std::string language : {"cpp", "c"}) {
    const installation at;
    const auto folder = at.make_folder("games");
    for (const std::string size :
         {"--players 1 --rows 1 --columns 1", "--players 62 --rows 64 --columns 64"}) {
      CAPTURE(language, size);
      check_well(at.shell(folder, "rm -rf 2048; gamehub engine new 2048 " + size + " --language " +
                                      language +
                                      "\ncd 2048; cmake -B build && cmake --build build\n"
                                      "gamehub engine check --quick build/2048.so"));
    }
  }
}

TEST_CASE(
    "new_engine: a verb for engines that there is not is answered with those that there are") {
  const auto mistake = [](const std::vector<std::string>& words) {
    const auto result = run({words, {}});
    CHECK(result.exit_code == 2);
    return result.errors;
  };
  CHECK(mistake({tools_program(), "engine"}) ==
        "gamehub: missing verb. Example: gamehub-tools engine new; gamehub-tools engine --help "
        "lists the verbs.\n");
  CHECK(mistake({tools_program(), "engine", "renew"}) ==
        "gamehub: \"renew\" is not a verb of gamehub-tools engine: give new, check, play, "
        "moves or strength.\n");
  const auto help = run({{tools_program(), "engine", "--help"}, {}});
  CHECK(help.exit_code == 0);
  for (const char* verb : {"\n  new ", "\n  check ", "\n  play ", "\n  moves ", "\n  strength "})
    CHECK(help.output.find(verb) != std::string::npos);
  CHECK(help.output.find("probe") == std::string::npos);
}

TEST_CASE("new_engine: a mistake is one sentence and exit code 2, and makes nothing") {
  const temporary_folder folder;
  const auto mistake = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {tools_program(), "engine", "new"});
    const auto result = run({words, {}, folder.path()});
    CHECK(result.exit_code == 2);
    CHECK(result.output.empty());
    return result.errors;
  };
  CHECK(mistake({"Hexapawn"}) ==
        "gamehub: NAME is \"Hexapawn\": give up to 40 letters a-z, digits and dashes between them, "
        "such as last-stone.\n");
  CHECK(mistake({"hexapawn", "--rows", "3"}) ==
        "gamehub: a board has rows and columns: give both --rows and --columns, or neither for a "
        "game without a board.\n");
  CHECK(mistake({"hexapawn", "--into", "nowhere"}) ==
        "gamehub: --into is \"nowhere\", which is not a folder: create it, or give another one.\n");
  const auto path = folder.write("hexapawn", "mine");
  CHECK(mistake({"hexapawn"}) ==
        "gamehub: \"hexapawn\" already exists and is not changed: give the engine another name, or "
        "another folder with --into.\n");
  CHECK(run({{"cat", path}, {}}).output == "mine");
  CHECK(run({{"ls", folder.path()}, {}}).output == "hexapawn\n");
}

}  // namespace
}  // namespace gamehub::tests::system
