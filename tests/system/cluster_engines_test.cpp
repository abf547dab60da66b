// Games of an engine that only some hubs of a cluster have.
#include "tests/journal/postgres_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"
#include "tests/system/last_cell.hpp"

#include <csignal>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

TEST_CASE("cluster: games whose engine a hub lacks wait for a hub that has it") {
  const plugin_folder files;
  files.put("good/last_cell_1.0.so", "a.so");
  const postgres_server server;
  const auto target = server.target();
  const std::vector<std::string> with_plugins{"--cluster", target, "--plugins",
                                              files.path().string()};
  hub without{{"--cluster", target}};
  auto game = [&] {
    hub first{with_plugins};
    auto p = pair_of_players::sit_down(first);
    p.take(1);
    first.process().signal(SIGKILL);
    REQUIRE(first.wait() == 128 + SIGKILL);
    return p;
  }();
  without.await_count("gamehub_cluster_released_games_total", {}, 1);
  CHECK(without.count("gamehub_cluster_adopted_games_total") == 0);
  without.await("says that they wait", [&] {
    const auto status = without.get("/status.json").body;
    return status.find("waits for an engine") != std::string::npos;
  });
  hub last{with_plugins};
  last.await_count("gamehub_cluster_adopted_games_total", {}, 1);
  game.come_back(last);
  game.play_out();
  last.await_count("gamehub_games_finished_total", {{"engine", "last-cell"}}, 1);
  game = {};
}

}  // namespace
}  // namespace gamehub::tests::system
