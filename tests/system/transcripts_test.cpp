// Everything that a README shows is tried: transcripts, client programs, and commands that are
// marked by <!-- run -->.
#include "tests/support/catch.hpp"
#include "tests/system/hostile.hpp"
#include "tests/system/transcript.hpp"
#include "tests/system/udp_transcript.hpp"
#include "tests/system/whole_game.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

namespace fs = std::filesystem;

struct readme {
  std::string path;  // from the root of the sources
  std::vector<fenced_block> blocks;
};

std::vector<readme> readmes() {
  const fs::path root{GAMEHUB_SOURCE_DIR};
  std::vector<fs::path> paths{root / "README.md", root / "hub/journal/README.md"};
  for (const auto& each : fs::directory_iterator{root / "gateways"})
    paths.push_back(each.path() / "README.md");
  std::vector<readme> out;
  for (const auto& path : paths) {
    std::ifstream in{path};
    if (!in) continue;
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    out.push_back({fs::relative(path, root).string(), fenced_blocks(text)});
  }
  return out;
}

std::map<std::string, std::string> ports_of(hub& at, const std::string& programs) {
  const char* path = std::getenv("PATH");
  return {{"TURNS_PORT", std::to_string(at.turns())},
          {"OPCODES_PORT", std::to_string(at.opcodes())},
          {"HTTP_PORT", std::to_string(at.http())},
          {"ADMIN_PORT", std::to_string(at.admin())},
          {"PATH", programs + (path == nullptr ? "" : std::string{":"} + path)}};
}

TEST_CASE("transcripts: each one in a README is what the program says") {
  int played = 0;
  for (const auto& each : readmes())
    for (const auto& block : each.blocks) {
      if (block.info != "transcript") continue;
      INFO(each.path << ":" << block.line);
      hub at;
      CHECK(play_transcript(at, block.text) == "");
      ++played;
    }
  CHECK(played >= 2);
}

TEST_CASE("transcripts: each one of UDP in a README is what the program says") {
  int played = 0;
  for (const auto& each : readmes())
    for (const auto& block : each.blocks) {
      if (block.info != "transcript udp") continue;
      INFO(each.path << ":" << block.line);
      hub at;
      CHECK(play_udp_transcript(at, block.text) == "");
      ++played;
    }
  CHECK(played >= 1);
  hub at;
  CHECK(play_udp_transcript(at, "C A\nS B\n") == "S B\n  but heard: A");
  CHECK(play_udp_transcript(at, "A\n").find("no line") != std::string::npos);
}

TEST_CASE("transcripts: each client program in a README plays against itself") {
  if (run({{"python3", "--version"}, {}}).exit_code != 0) {
    WARN("there is no python3: not run");
    return;
  }
  const temporary_folder folder;
  for (const auto& each : readmes())
    for (const auto& block : each.blocks) {
      if (block.info != "python") continue;
      INFO(each.path << ":" << block.line);
      hub at;
      auto text =
          std::regex_replace(block.text, std::regex{"\\b8889\\b"}, std::to_string(at.turns()));
      text = std::regex_replace(text, std::regex{"\\b8890\\b"}, std::to_string(at.opcodes()));
      const auto file = folder.write("client.py", text);
      program one{{{"python3", file}, {}}}, other{{{"python3", file}, {}}};
      for (auto* side : {&one, &other}) {
        const auto code = side->wait();
        CAPTURE(side->output(), side->errors());
        CHECK(code == 0);
        CHECK(side->output().find("winner: X") != std::string::npos);
        // The ACK of the seat and those of moves are alike (L5).
        const auto mark = side->output().find("I am ");
        CHECK((mark == std::string::npos ||
               side->output().find("I am ", mark + 1) == std::string::npos));
      }
    }
}

TEST_CASE(
    "transcripts: each client program in a README ends without an exception after a fault "
    "(H2e)") {
  if (run({{"python3", "--version"}, {}}).exit_code != 0) {
    WARN("there is no python3: not run");
    return;
  }
  const temporary_folder folder;
  int played = 0;
  for (const auto& each : readmes())
    for (const auto& block : each.blocks) {
      if (block.info != "python") continue;
      INFO(each.path << ":" << block.line);
      stage s{false, "60000", {"--opcodes-engine", "hostile"}};
      s.to.give("throw apply");
      auto text =
          std::regex_replace(block.text, std::regex{"\\b8889\\b"}, std::to_string(s.at.turns()));
      text = std::regex_replace(text, std::regex{"\\b8890\\b"}, std::to_string(s.at.opcodes()));
      text = std::regex_replace(text, std::regex{"\\btictactoe\\b"}, "hostile");
      const auto file = folder.write("client.py", text);
      program one{{{"python3", file}, {}}}, other{{{"python3", file}, {}}};
      for (auto* side : {&one, &other}) {
        const auto code = side->wait();
        CAPTURE(side->output(), side->errors());
        CHECK(code == 0);
        CHECK(side->errors().empty());
      }
      s.at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, 1);
      end(s.at);
      ++played;
    }
  CHECK(played >= 2);
}

TEST_CASE("transcripts: each command in a README that is marked for it runs") {
  const temporary_folder programs;
  fs::create_symlink(hub_program(), programs.path() + "/gamehub");
  for (const auto& each : readmes())
    for (const auto& block : each.blocks) {
      if (!block.marked) continue;
      INFO(each.path << ":" << block.line);
      const temporary_folder folder;
      // The hub's journal is where the commands look for it.
      auto variables = std::map<std::string, std::string>{{"XDG_STATE_HOME", folder.path()}};
      hub at{{"--journal", "sqlite", "--webhooks", "--webhook-delay-seconds", "0", "--bot-allow",
              "127.0.0.0/8"},
             variables};
      variables.merge(ports_of(at, programs.path()));
      const auto result =
          run({{"bash", "-euo", "pipefail", "-c", block.text}, variables, folder.path()});
      CAPTURE(result.output, result.errors);
      CHECK(result.exit_code == 0);
    }
}

TEST_CASE("transcripts: no README shows a secret of a player that a reader could copy") {
  const std::regex secret{R"((client_id=|"client_id": ?"|[Bb]earer )([!-~]{16,64}))"};
  CHECK(std::regex_search(std::string{"curl -d client_id=the-secret-of-ann-1234"}, secret));
  CHECK(std::regex_search(std::string{"-H 'Authorization: Bearer the-secret-of-bob'"}, secret));
  CHECK_FALSE(
      std::regex_search(std::string{"post play -d client_id=\"$ann\" -d name=ann"}, secret));
  for (const auto& each : readmes())
    for (const auto& block : each.blocks) {
      INFO(each.path << ":" << block.line);
      CHECK_FALSE(std::regex_search(block.text, secret));
    }
}

TEST_CASE("transcripts: a transcript that shows something else is noticed") {
  const std::string opening = "C 00 01  # SGR\nS 00 04 58\nc 00 01\ns 00 04 4F\n";
  const std::string board = "S 00 03 2D 2D 2D 2D 2D 2D 2D 2D 2D 2D\n";
  const auto judged = [](const std::string& text) {
    hub at;
    return play_transcript(at, text);
  };
  CHECK(judged(opening + board) == "");
  CHECK(judged(opening + "S 00 03 <any> 2D\n").find("the end") == 0);
  // There is more.
  CHECK(judged("C 00 02 00 00 02 00\nS 00 05 00 02 <any> 00\n").find("the end") == 0);
  CHECK(judged("C 00 01\nS 00 04 4F\n").find("but heard: 00 04 58") != std::string::npos);
  CHECK(judged("C 00 02 00\nS 00 05 00 02 <any> 00\n") == "");
  CHECK(judged("C 00 02 00\nS 00 05 00 03 <any> 00\n") != "");
  CHECK(judged("C 00 02 <what>\n").find("<what> has not been heard") != std::string::npos);
  CHECK(judged("X 00\n").find("begins with none") != std::string::npos);
  const std::string hello = R"(C {"type":"connect","name":"ann","max_games":0})"
                            "\n";
  CHECK(judged(hello + R"(S {"type":"name","name":"ann","secret":"<any>"})" + "\n") == "");
  CHECK(judged(hello + R"(S {"type":"name","name":"bob","secret":"<any>"})" + "\n") != "");
  CHECK(judged(hello + R"(S {"type":"name","name":"<name>","secret":"<name>"})" + "\n") != "");
  CHECK(judged(hello + R"(S {"type":"name","name":"<name>","secret":"<secret>"})" + "\n" +
               R"(c {"type":"connect","resume":"<secret>","max_games":0})" + "\n" +
               R"(s {"type":"name","name":"<name>","secret":"<secret>"})" + "\n" +
               R"(S {"type":"close","error":"replaced"})" + "\n") == "");
}

TEST_CASE("transcripts: blocks of a README are found with their marks") {
  const auto found = fenced_blocks(
      "text\n<!-- run -->\n\n```sh\necho 1\n```\n```transcript\nC 00\n```\n<!-- run -->\nno\n"
      "```sh\nfalse\n```\n");
  REQUIRE(found.size() == 3);
  CHECK(found[0].marked);
  CHECK(found[0].info == "sh");
  CHECK(found[0].text == "echo 1\n");
  CHECK(found[0].line == 4);
  CHECK(found[1].info == "transcript");
  CHECK_FALSE(found[1].marked);
  CHECK_FALSE(found[2].marked);
}

}  // namespace
}  // namespace gamehub::tests::system
