// What an operator asks of a running hub, by the real program.
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

run_result ask_admin(const hub& at, std::vector<std::string> words) {
  words.insert(words.begin(), hub_program());
  words.insert(words.end(), {"--admin-port", std::to_string(at.admin())});
  return run({std::move(words), {}, ""});
}

TEST_CASE("operate: status tells of the hub's games, for people and for programs") {
  hub at;
  auto game = open_game(at, wire::opcodes, wire::turns);
  const auto told = ask_admin(at, {"status"});
  CHECK(told.exit_code == 0);
  CHECK(told.errors.empty());
  CHECK(has(told.output, ": ready\n"));
  CHECK(has(told.output, "games     1 running, 0 ended, 0 of them by a fault\n"));
  CHECK(has(told.output, "journal   ok, in memory\n"));
  CHECK(has(told.output, "loops     2, "));
  const auto counted = json::parse(ask_admin(at, {"status", "--json"}).output);
  CHECK(counted["ready"] == true);
  CHECK(counted["games"]["running"] == 1);
  CHECK(counted["wires"]["turns"]["players"] == 1);
  CHECK(counted["wires"]["opcodes"]["connections"] == 1);
  play_out(*game.x, *game.o, game.board, {0, 3, 1, 5}, 'X');
}

TEST_CASE("operate: drain tells the hub to go and waits until it is gone") {
  hub at{{"--drain-seconds", "1"}};
  auto game = open_game(at, wire::turns, wire::opcodes);
  const auto told = ask_admin(at, {"drain", "--wait", "60"});
  CHECK(told.errors.empty());
  CHECK(told.output == "draining\ngone\n");
  CHECK(told.exit_code == 0);
  CHECK(at.wait() == 0);
}

TEST_CASE("operate: drain does not wait longer than it is told to") {
  hub at{{"--drain-seconds", "3600"}};
  auto game = open_game(at, wire::turns, wire::opcodes);
  const auto told = ask_admin(at, {"drain", "--wait", "1"});
  CHECK(told.exit_code == 1);
  CHECK(has(told.errors, "still there after 1 s"));
  CHECK(ask_admin(at, {"healthcheck"}).exit_code == 0);
  const auto ready = ask_admin(at, {"healthcheck", "--ready"});
  CHECK(ready.exit_code == 1);
  CHECK(has(ready.errors, "draining"));
  const auto status = ask_admin(at, {"status"});
  CHECK(status.exit_code == 1);
  CHECK(has(status.output, "not ready (draining)"));
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

TEST_CASE("operate: a hub that is not there is said in one sentence") {
  hub at;
  const auto port = std::to_string(at.admin());
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
  for (const auto* verb : {"status", "drain", "healthcheck"}) {
    const auto told = run({{hub_program(), verb, "--admin-port", port}, {}, ""});
    CHECK(told.exit_code == 1);
    CHECK(told.output.empty());
    CHECK(has(told.errors, "no hub answers on 127.0.0.1 port " + port));
  }
}

}  // namespace
}  // namespace gamehub::tests::system
