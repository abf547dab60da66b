// `gamehub engine play` by the real program: the game in the README, plugins and programs, signals.
#include "tests/support/catch.hpp"
#include "tests/system/program.hpp"
#include "tests/system/transcript.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

run_result play(std::vector<std::string> words) {
  words.insert(words.begin(), {tools_program(), "engine", "play"});
  return run({std::move(words), {}});
}

TEST_CASE("engine_play: the game in the README is what the program plays") {
  std::ifstream in{GAMEHUB_SOURCE_DIR "/engines/README.md"};
  const std::string page{std::istreambuf_iterator<char>{in}, {}};
  std::vector<fenced_block> blocks;
  for (auto& each : fenced_blocks(page, "<!-- play -->"))
    if (each.marked) blocks.push_back(std::move(each));
  REQUIRE(blocks.size() == 2);
  const auto folder = std::filesystem::path{tools_program()}.parent_path().string();
  const auto played = run(
      {{"bash", "-euo", "pipefail", "-c", blocks[0].text}, {{"PATH", folder + ":/usr/bin:/bin"}}});
  CAPTURE(played.errors);
  CHECK(played.exit_code == 0);
  CHECK(played.output == blocks[1].text);
}

TEST_CASE("engine_play: a plugin plays in a child process, with moves from a file") {
  const temporary_folder folder;
  const auto moves = folder.write("moves", "# the last stone\n2\n1\n3\n1\n1\n");
  const auto result = play({GAMEHUB_README_PLUGIN, "--moves", moves, "--level", "perfect"});
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 0);
  CHECK(has(result.output, "Last Stone 1.0.0\n"));
  CHECK(has(result.output, "> 3\nplayer 2: "));
  CHECK(result.output.ends_with("player 2 has won.\n"));
  CHECK(result.errors.empty());
}

TEST_CASE("engine_play: a crash of the engine is one sentence, and exit code 1") {
  const auto result = play(
      {std::string{GAMEHUB_KIT_PLUGINS} + "/crashes.so", "--seat", "none", "--level", "random"});
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 1);
  CHECK(result.errors.starts_with("gamehub: the engine has failed"));
  CHECK(has(result.errors, "the engine's process was ended by SIGILL"));
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}

TEST_CASE("engine_play: a program in Python plays") {
  if (run({{"/usr/bin/python3", "--version"}, {}}).exit_code != 0) {
    WARN("there is no /usr/bin/python3: not run");
    return;
  }
  const auto result =
      play({"/usr/bin/python3 " GAMEHUB_SOURCE_DIR "/engines/sdk/python/last_stone.py", "--seat",
            "none"});
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 0);
  CHECK(has(result.output, " has won.\n"));
}

TEST_CASE("engine_play: a signal ends it while it waits for a move") {
  for (const int number : {SIGINT, SIGTERM}) {
    program at{{.words = {tools_program(), "engine", "play", GAMEHUB_README_PLUGIN},
                .variables = {},
                .hears = true}};
    while (at.read_line() != "player 1, your move:") REQUIRE(at.output().size() < 1'000);
    at.signal(number);
    CHECK(at.wait() == 128 + number);
  }
}

TEST_CASE("engine_play: mistakes of a person are one sentence and exit code 2") {
  const auto check_mistake = [](const std::vector<std::string>& words, const std::string& said) {
    const auto result = play(words);
    CAPTURE(result.output, result.errors);
    CHECK(result.exit_code == 2);
    CHECK(result.output.empty());
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    CHECK(has(result.errors, said));
  };
  check_mistake({"chess"}, "there is no engine and no file \"chess\": give backgammon, ");
  check_mistake({"/dev/null"}, "/dev/null: file too short");
  check_mistake({"nowhere.engine"}, "nowhere.engine: ");
  check_mistake({"nim", "--moves", "/nowhere"}, "--moves: \"/nowhere\" can't be read");
  check_mistake({"nim", "--seat", "3"}, "--seat is 3, and the game has 2 players");
  check_mistake({"nim", "--options", "{\"heaps\":9}"}, "--options: ");
}

}  // namespace
}  // namespace gamehub::tests::system
