// The walk of an author of bots through gateways/bots/README.md, word for word.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/transcript.hpp"

#include <arpa/inet.h>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace gamehub::tests::system {
namespace {

namespace fs = std::filesystem;

std::vector<fenced_block> bot_walk() {
  std::ifstream in{std::string{GAMEHUB_SOURCE_DIR} + "/gateways/bots/README.md"};
  const std::string page{std::istreambuf_iterator<char>{in}, {}};
  std::vector<fenced_block> out;
  for (auto& each : fenced_blocks(page, "<!-- walk -->"))
    if (each.marked) out.push_back(std::move(each));
  return out;
}

// A port that is free now.
std::uint16_t free_port() {
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* const where = reinterpret_cast<sockaddr*>(&at);
  if (s < 0 || bind(s, where, size) != 0 || getsockname(s, where, &size) != 0)
    throw std::runtime_error{"no free port"};
  close(s);
  return ntohs(at.sin_port);
}

TEST_CASE("bot walk: an author writes a bot, has it checked, registers it and plays it") {
  const auto blocks = bot_walk();
  REQUIRE(blocks.size() == 6);
  const temporary_folder home;
  home.write("bot.py", blocks[0].text);
  hub at{{"--bot-allow", "127.0.0.0/8", "--open-registration"}};
  // Its opponents wait until it is online, as people do who read the hub's answer.
  const std::string until_online =
      "until curl -s http://127.0.0.1:" + std::to_string(at.admin()) +
      "/metrics | grep -q '^gamehub_bots_online 1'; do sleep 0.05; done\n";
  const auto script = blocks[1].text + blocks[2].text + "\n" + until_online + "echo; " +
                      blocks[3].text + "kill %1\n";
  const auto programs = fs::path{hub_program()}.parent_path().string();
  const auto done = run({{"bash", "-euo", "pipefail", "-c", script},
                         {{"HTTP_PORT", std::to_string(at.http())},
                          {"BOT_PORT", std::to_string(free_port())},
                          {"PATH", programs + ":/usr/bin:/bin"}},
                         home.path()});
  CAPTURE(done.output, done.errors);
  CHECK(done.exit_code == 0);
  for (const auto* words :
       {"ok     TicTacToe.NextMove", "let it register as TICTACTOE",
        "Hello, First Free (version: 1.0), good luck with Tic-Tac-Toe!", "\"game_id\""})
    CHECK(done.output.find(words) != std::string::npos);
  const auto seat = nlohmann::json::parse(done.output.substr(done.output.rfind('\n') + 1));
  CHECK(seat["opponent_name"] == "First Free");
  api_client person{at.http()};
  // Unless its game has ended: then no bot is left to call.
  person.post("/api/quit", "client_id=" + seat["client_id"].get<std::string>());
}

TEST_CASE("bot walk: a bot takes signed calls of its hub, and no other ones") {
  const auto blocks = bot_walk();
  REQUIRE(blocks.size() == 6);
  const temporary_folder home;
  home.write("bot.py", blocks[0].text);
  home.write("signed_bot.py", blocks[4].text);
  hub at{{"--bot-allow", "127.0.0.0/8", "--open-registration"}};
  const std::string until_online =
      "until curl -s http://127.0.0.1:" + std::to_string(at.admin()) +
      "/metrics | grep -q '^gamehub_bots_online 1'; do sleep 0.05; done\n";
  const std::string url = "\"http://127.0.0.1:$BOT_PORT/\"";
  const auto script = blocks[5].text + "\n" + until_online +
                      "echo; echo unsigned $(curl -s -o body -w '%{http_code}' -d '{}' " + url +
                      ")\n! gamehub bot check " + url + " >body\n! gamehub bot check " + url +
                      " --signing-secret \"${BOT_SECRET}0\" >body\nkill %1\n";
  const auto programs = fs::path{hub_program()}.parent_path().string();
  const auto done = run({{"bash", "-euo", "pipefail", "-c", script},
                         {{"HTTP_PORT", std::to_string(at.http())},
                          {"BOT_PORT", std::to_string(free_port())},
                          {"PATH", programs + ":/usr/bin:/bin"}},
                         home.path()});
  CAPTURE(done.output, done.errors);
  CHECK(done.exit_code == 0);
  for (const auto* words :
       {"ok     TicTacToe.NextMove", "Hello, Signed (version: 1.0)", "unsigned 401"})
    CHECK(done.output.find(words) != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::system
