#include "tools/engine/request.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <vector>

namespace gamehub::tools::engine {
namespace {

using language = new_engine_request::language;

std::variant<new_engine_request, config::early_exit> parsed(const std::vector<std::string>& words) {
  std::vector<const char*> argv{"gamehub", "engine", "new"};
  for (const auto& each : words) argv.push_back(each.c_str());
  return parse_new_engine(static_cast<int>(argv.size()), argv.data());
}

new_engine_request request(const std::vector<std::string>& words) {
  const auto got = parsed(words);
  if (const auto* message = std::get_if<config::early_exit>(&got)) FAIL(message->text);
  return std::get<new_engine_request>(got);
}

// One sentence for each mistake.
std::string mistake(const std::vector<std::string>& words) {
  const auto got = parsed(words);
  const auto* message = std::get_if<config::early_exit>(&got);
  if (message == nullptr) return "no mistake";
  CHECK(message->exit_code == 2);
  CHECK(message->text.find('\n') == std::string::npos);
  return message->text;
}

TEST_CASE("request: a name alone is a game for two without a board, in C++, made here") {
  const auto r = request({"last-stone"});
  CHECK(r.id == "last-stone");
  CHECK(r.title == "Last Stone");
  CHECK(r.players == 2);
  CHECK_FALSE(r.cells);
  CHECK(r.in == language::cpp);
  CHECK(r.into == ".");
}

TEST_CASE("request: every flag is used") {
  const auto r = request({"--players", "4", "ludo-2000", "--rows=6", "--columns", "7", "--title",
                          "Ludo “2000”?", "--language", "c", "--into", "/some/where"});
  CHECK(r.id == "ludo-2000");
  CHECK(r.title == "Ludo “2000”?");
  CHECK(r.players == 4);
  REQUIRE(r.cells);
  CHECK(r.cells->rows == 6);
  CHECK(r.cells->columns == 7);
  CHECK(r.in == language::c);
  CHECK(r.into == "/some/where");
  CHECK(request({"x", "--players", "62", "--rows", "64", "--columns", "1"}).players == 62);
}

TEST_CASE("request: a mistake is one sentence with the correction") {
  CHECK(mistake({}) ==
        "gamehub: engine new: missing name of the engine. Example: gamehub engine new hexapawn.");
  for (const std::string bad : {"Last-Stone", "last_stone", "last stone", "last-", "", "ä", "a/b",
                                "..", "12345678901234567890123456789012345678901"})
    CHECK(mistake({bad}).find(bad.empty() ? "missing name" : "not a valid name") !=
          std::string::npos);
  CHECK(mistake({"test"}) ==
        "gamehub: \"test\" is the name of a CMake target: give the engine another name.");
  CHECK(mistake({"tictactoe"}) ==
        "gamehub: the hub already has an engine tictactoe: give yours another name.");
  CHECK(mistake({"x", "y"}).find("\"y\" is not for gamehub engine new") != std::string::npos);
  CHECK(mistake({"x", "--colour", "red"}).find("\"--colour\" is not for") != std::string::npos);
  CHECK(mistake({"x", "--players"}).find("--players") != std::string::npos);
  for (const char* bad : {"0", "63", "-1", "two", "2x"})
    CHECK(mistake({"x", std::string{"--players="} + bad}).find("from 1 to 62") !=
          std::string::npos);
  CHECK(mistake({"x", "--rows", "65", "--columns", "1"}) ==
        "gamehub: --rows is \"65\": give a number from 1 to 64.");
  CHECK(mistake({"x", "--rows", "3", "--columns", "0"}).find("--columns is \"0\"") !=
        std::string::npos);
  CHECK(mistake({"x", "--rows", "3"}).find("give both --rows and --columns") != std::string::npos);
  CHECK(mistake({"x", "--columns", "3"}).find("give both") != std::string::npos);
  CHECK(mistake({"x", "--language", "rust"}) == "gamehub: --language is \"rust\": give cpp or c.");
  for (const char* bad : {"", " ", "a\"b", "a\\b", "a\nb", "\xff",
                          "a title that goes on and on and on and on and on and on"})
    CHECK(mistake({"x", "--title", bad}).find("without quotes") != std::string::npos);
}

TEST_CASE("request: help names every flag") {
  const auto got = parsed({"--help"});
  const auto* message = std::get_if<config::early_exit>(&got);
  REQUIRE(message != nullptr);
  CHECK(message->exit_code == 0);
  for (const char* flag :
       {"NAME", "--players", "--rows", "--columns", "--title", "--language", "--into"})
    CHECK(message->text.find(flag) != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tools::engine
