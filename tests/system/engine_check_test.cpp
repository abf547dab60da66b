// `gamehub engine check` by the real program: engines that keep the contract, and what it says of
// those that do not.
#include "tests/support/catch.hpp"
#include "tests/system/program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/personality.h>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

run_result check(std::vector<std::string> words) {
  words.insert(words.begin(), {tools_program(), "engine", "check"});
  return run({std::move(words), {}});
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void check_engine_mistake(const std::vector<std::string>& words, const std::string& said) {
  const auto result = check(words);
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
  CHECK(result.errors.find(said) != std::string::npos);
}

TEST_CASE("engine_check: finds nothing wrong with any engine that is built in") {
  for (const std::string id : {"tictactoe", "connect-four", "gomoku", "kuhn-poker", "nim",
                               "othello", "rock-paper-scissors", "dots-and-boxes", "oh-hell", "hex",
                               "checkers", "backgammon", "battleship"}) {
    const auto result = check({id, "--quick"});
    CAPTURE(result.output, result.errors);
    CHECK(result.exit_code == 0);
    CHECK(result.errors.empty());
    CHECK(result.output.starts_with(id + " 1.0.0 keeps the contract: "));
  }
}

TEST_CASE("engine_check: finds nothing wrong with a plugin, and says what was seen of it") {
  const auto result = check({GAMEHUB_TICTACTOE_PLUGIN, "--seeds", "20"});
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 0);
  CHECK(first_line(result.output).starts_with("tictactoe 1.0.0 keeps the contract: 20 games, "));
  for (const auto* word : {"longest game", "bytes of state", "legal_actions", "p99"})
    CHECK(result.output.find(word) != std::string::npos);

  const auto found = json::parse(check({GAMEHUB_TICTACTOE_PLUGIN, "--json"}).output);
  CHECK(found["kept"] == true);
  CHECK(found["broken"].empty());
  CHECK(found["engine"]["id"] == "tictactoe");
  CHECK(found["seen"]["actions_most"] == 9);
  CHECK(found["calls"].size() > 15);
}

std::string broken_plugin(const std::string& name) {
  return std::string{GAMEHUB_KIT_PLUGINS} + "/" + name + ".so";
}

// What is said of a plugin that breaks its contract, without the tables.
std::string findings(const std::string& file, std::vector<std::string> more = {}) {
  more.insert(more.begin(), file);
  const auto result = check(std::move(more));
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 1);
  CHECK(result.errors.empty());
  auto out =
      result.output.substr(0, std::min(result.output.find("\n\n"), result.output.size() - 1) + 1);
  for (auto at = out.find(file); at != out.npos; at = out.find(file))
    out.replace(at, file.size(), "IT");
  return out;
}

TEST_CASE("engine_check: a crash is a finding, with the call and the moves so far") {
  const auto said = findings(broken_plugin("crashes"));
  CHECK(
      said ==
      R"(crashes 1.0.0 breaks the contract: the engine crashes: in apply (seat 1, action 2), the process was ended by SIGILL
  after    0:2 1:3 0:3
  state    {"stones":7}
  again    gamehub engine check IT --seed 1 --seeds 1
)");
  CHECK(findings(broken_plugin("crashes"), {"--seed", "1", "--seeds", "1", "--quick"}) == said);
}

TEST_CASE("engine_check: a call that does not come back is a finding") {
  CHECK(
      findings(broken_plugin("spins"), {"--quick"}) ==
      R"(spins 1.0.0 breaks the contract: a call does not come back: scores still ran after 2 seconds
  after    0:2 1:3 0:3 1:1 0:2 1:2 0:1 1:1
  state    {"stones":0}
  again    gamehub engine check IT --seed 1 --seeds 1
)");
}

TEST_CASE("engine_check: a plugin that ends the program ends a child of it") {
  CHECK(
      findings(broken_plugin("exits")) ==
      R"(IT breaks the contract: the engine ends the program: while it was loaded, the process exited with code 0
  again    gamehub engine check IT
)");
}

TEST_CASE("engine_check: a leak names both games and what is seen of each") {
  CHECK(
      findings(broken_plugin("leaks")) ==
      R"(leaks 1.0.0 breaks the contract: a view shows what its viewer may not know: seat 0 can't tell this game from another, but sees {"plies":4,"calls":0,"held":5,"hint":true}, to move 0, may 0 1 where it saw {"plies":4,"calls":0,"held":5,"hint":false}, to move 0, may 0 1
  after    chance:5 chance:4 0:0 1:0
  state    {"plies":4,"calls":0}
  other    seed 6, after chance:5 chance:0 0:0 1:0
  again    gamehub engine check IT --seed 6 --seeds 3
)");
  // The command that it names finds the same.
  CHECK(findings(broken_plugin("leaks"), {"--seed", "6", "--seeds", "3"}) ==
        findings(broken_plugin("leaks")));
  // A hub takes engines that reveal something between two hands: it can't know better.
  CHECK(check({broken_plugin("leaks"), "--quick"}).exit_code == 0);
}

TEST_CASE("engine_check: an engine whose state hangs on an address is found by a second process") {
  // Without random addresses, as sanitizers need it, all processes have the same ones.
  if ((personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0) return;
  for (const auto& how : std::vector<std::vector<std::string>>{{}, {"--quick"}}) {
    const auto said = findings(broken_plugin("by_address"), how);
    CAPTURE(said);
    CHECK(
        said.starts_with("by-address 1.0.0 breaks the contract: the same game is another in "
                         "another process: the saved bytes: 0f 00 00 "));
    CHECK(said.find("\n  after    the beginning\n") != std::string::npos);
  }
}

TEST_CASE("engine_check: an action that is listed and refused is found, and its reason") {
  const auto said = findings(broken_plugin("forgets"), {"--quick"});
  CAPTURE(said);
  CHECK(said.find(" breaks the contract: ") != std::string::npos);
  CHECK(said.find("one-is-too-few") != std::string::npos);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("engine_check: an engine that wants all memory gets no more than there is for it") {
  const auto said = findings(broken_plugin("eats"), {"--quick"});
  CAPTURE(said);
  CHECK(said.find("engine-failure") != std::string::npos);
  CHECK(said.find("warning  the engine writes to standard output or error, such as \"more, "
                  "please\"") != std::string::npos);
}
#endif

std::string engines_readme() {
  std::ifstream in{GAMEHUB_SOURCE_DIR "/engines/README.md"};
  return {std::istreambuf_iterator<char>{in}, {}};
}

TEST_CASE("engine_check: says of the example in the README and of a leak what stands there") {
  const auto text = engines_readme();
  const auto kept = check({GAMEHUB_README_PLUGIN}).output;
  CAPTURE(kept);
  CHECK(text.find(kept.substr(0, kept.find("  create "))) != std::string::npos);
  auto leak = findings(broken_plugin("leaks"));
  leak.replace(leak.find("IT"), 2, "./leaks.so");
  CAPTURE(leak);
  CHECK(text.find("```\n" + leak + "```") != std::string::npos);
}

TEST_CASE("engine_check: prints a game and counts the ways to play on request") {
  const auto result = check({"tictactoe", "--seeds", "2", "--perft", "4", "--playthrough"});
  CAPTURE(result.output, result.errors);
  CHECK(result.exit_code == 0);
  CHECK(result.output.find("  4                3,024             0") != std::string::npos);
  CHECK(result.output.find("Tic-Tac-Toe (tictactoe 1.0.0), played at random, seed 1\n") !=
        std::string::npos);
}

TEST_CASE("engine_check: plays with the options that it is given") {
  const auto found = json::parse(
      check({"gomoku", "--options", R"({"rows":4,"columns":3,"in_a_row":3})", "--json"}).output);
  CHECK(found["kept"] == true);
  CHECK(found["seen"]["actions_most"] == 12);
}

TEST_CASE("engine_check: mistakes of a person are one sentence and exit code 2") {
  check_engine_mistake({"./nowhere.so"}, "./nowhere.so: there is no such file");
  check_engine_mistake({"chess"}, "there is no engine and no file chess: give backgammon, ");
  check_engine_mistake({"/dev/null"}, "/dev/null");
  check_engine_mistake({}, "ENGINE is missing: give the file of a plugin");
  check_engine_mistake({"tictactoe", "--seeds", "0"},
                       "--seeds is \"0\": give a whole number from 1 to 1000000");
  check_engine_mistake({"tictactoe", "--fast"}, "--fast");
  check_engine_mistake({"nim", "--options", "{\"heaps\":9}"}, "--options: ");
  check_engine_mistake({"nim", "--players", "3"},
                       "nim refuses the options or the number of players: wrong-number-of-players");
  check_engine_mistake({"kuhn-poker", "--perft", "2"},
                       "--perft can't count the nodes of kuhn-poker");
}

TEST_CASE("engine_check: a face that breaks its bounds is refused with a sentence") {
  const std::string folder = std::string{GAMEHUB_TEST_PLUGINS} + "/bad/";
  check_engine_mistake(
      {folder + "icon_with_script.so"},
      "engine bad has a face whose icon is an image with the element script, which is not "
      "one of svg, g, path, circle, rect, line, polyline, polygon, ellipse, title");
  check_engine_mistake({folder + "face_too_long.so"},
                       "engine bad has a face that does not end after 16384 bytes");
}

}  // namespace
}  // namespace gamehub::tests::system
