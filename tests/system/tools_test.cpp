// The program gamehub-tools, and the verbs by which gamehub starts it.
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/program.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> forwarded{"bench", "udp-lab", "engine", "bot"};

TEST_CASE("tools: gamehub bench starts the bench of gamehub-tools, with all its arguments") {
  hub at;
  const std::vector<std::string> arguments{
      "bench",     "turns", "--port", std::to_string(at.turns()), "--games", "1", "--seconds", "1",
      "--warm-up", "0",     "--json"};
  for (const auto& program : {hub_program(), tools_program()}) {
    auto words = arguments;
    words.insert(words.begin(), program);
    const auto result = run({words, {}});
    CAPTURE(program, result.errors);
    CHECK(result.exit_code == 0);
    CHECK(result.output.starts_with("{"));
  }
}

TEST_CASE("tools: gamehub engine check and bot check start gamehub-tools, and give its exit code") {
  const auto checked = run({{hub_program(), "engine", "check", "--quick", "tictactoe"}, {}});
  CAPTURE(checked.errors);
  CHECK(checked.exit_code == 0);
  CHECK(checked.output.starts_with("tictactoe 1.0.0 keeps the contract: "));
  const auto unknown = run({{hub_program(), "engine", "check", "chess"}, {}});
  CHECK(unknown.exit_code == 2);
  const auto away =
      run({{hub_program(), "bot", "check", "http://127.0.0.1:1/", "--seconds", "1"}, {}});
  CHECK(away.exit_code == 1);
  CHECK(has(away.output, "wrong  Status.Ping"));
}

TEST_CASE("tools: gamehub udp-lab becomes gamehub-tools, so that signals reach it") {
  program lab{{{hub_program(), "udp-lab", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:1"}, {}}};
  CHECK(lab.read_line().starts_with("ready udp="));
  lab.signal(SIGTERM);
  CHECK(lab.wait() == 0);
}

TEST_CASE("tools: without gamehub-tools in its folder gamehub says so and exits with 2") {
  const temporary_folder folder;
  const auto alone = folder.path() + "/gamehub";
  fs::copy_file(hub_program(), alone);
  for (const auto& verb : forwarded) {
    const auto result = run({{alone, verb, "--help"}, {}});
    CHECK(result.exit_code == 2);
    CHECK(result.output.empty());
    CHECK(result.errors == "gamehub: " + verb +
                               " is in gamehub-tools, which is not installed beside this "
                               "program.\n");
  }
  const auto engines = run({{alone, "engines"}, {}});
  CHECK(engines.exit_code == 0);
}

TEST_CASE("tools: the program gamehub contains none of them") {
  // Texts of the bench, the UDP proxy, the project generator and the bot check.
  const std::vector<std::string> texts{"deaf, garbage, pipeline or drip",
                                       "share of duplicated datagrams", "gamehub_add_engine(",
                                       "URL of the bot, such as"};
  const auto contents_of = [](const std::string& path) {
    std::string text(fs::file_size(path), '\0');
    REQUIRE(std::ifstream{path, std::ios::binary}.read(text.data(), std::ssize(text)));
    return text;
  };
  const auto served = contents_of(hub_program()), tools = contents_of(tools_program());
  for (const auto& each : texts) {
    CAPTURE(each);
    CHECK_FALSE(has(served, each));
    CHECK(has(tools, each));
  }
}

TEST_CASE("tools: the help of gamehub marks the verbs of gamehub-tools") {
  const auto help = run({{hub_program(), "--help"}, {}});
  CHECK(help.exit_code == 0);
  CHECK(help.errors.empty());
  const auto is_marked = [&](const std::string& verb) {
    CAPTURE(verb);
    const auto begin = help.output.find("\n  " + verb + ' ');
    REQUIRE(begin != std::string::npos);
    const auto line = help.output.substr(begin + 1, help.output.find('\n', begin + 1) - begin - 1);
    return line.ends_with(" (gamehub-tools)");
  };
  for (const auto& verb : forwarded) CHECK(is_marked(verb));
  for (const auto* verb : {"serve", "engines", "journal", "verify", "status", "drain", "token",
                           "arena", "healthcheck", "games", "end", "ban", "say"})
    CHECK_FALSE(is_marked(verb));
}

TEST_CASE("tools: gamehub-tools has help, a version, and one sentence for a mistake") {
  for (const auto* flag : {"--help", "-h"}) {
    const auto help = run({{tools_program(), flag}, {}});
    CHECK(help.exit_code == 0);
    CHECK(help.errors.empty());
    for (const auto& verb : forwarded) CHECK(has(help.output, "\n  " + verb + ' '));
  }
  for (const auto& verb : forwarded) {
    const auto help = run({{tools_program(), verb, "--help"}, {}});
    CAPTURE(verb);
    CHECK(help.exit_code == 0);
    CHECK(has(help.output, "Usage: gamehub-tools " + verb));
  }
  const auto version = run({{tools_program(), "--version"}, {}});
  CHECK(version.exit_code == 0);
  CHECK(version.output ==
        "gamehub-tools" + run({{hub_program(), "--version"}, {}}).output.substr(7));
  CHECK(run({{tools_program()}, {}}).errors ==
        "gamehub: missing verb. Example: gamehub-tools bench; gamehub-tools --help lists the "
        "verbs.\n");
  const auto serve = run({{tools_program(), "serve"}, {}});
  CHECK(serve.exit_code == 2);
  CHECK(serve.output.empty());
  CHECK(serve.errors ==
        "gamehub: \"serve\" is not a verb of gamehub-tools: give bench, udp-lab, engine or bot.\n");
}

}  // namespace
}  // namespace gamehub::tests::system
