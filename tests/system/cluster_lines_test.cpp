// The log lines of a cluster that the runbook quotes.
#include "tests/journal/postgres_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

bool logs(hub& at, const std::string& line) {
  return at.process().errors().find(line) != std::string::npos;
}

TEST_CASE("cluster: the runbook names what is logged when a hub is replaced") {
  const postgres_server server;
  const std::vector<std::string> flags{"--cluster", server.target()};
  hub one{flags}, two{flags};
  one.process().signal(SIGSTOP);
  two.await_count("gamehub_cluster_adoptions_total", {}, 1);
  one.process().signal(SIGCONT);
  CHECK(one.wait() == 75);
  CHECK(
      logs(one, promised("another member of the cluster owns the games of this hub, which ends")));
  CHECK(logs(two, promised("took over the games of another hub")));
}

TEST_CASE("cluster: the runbook names what is logged while the database is away") {
  postgres_server server;
  hub at{{"--cluster", server.target()}};
  auto game = open_game(at, wire::turns, wire::turns);
  server.stop();
  game.o->moves(0);
  for (const auto* line : {"journal write failed; new games are refused until a write succeeds",
                           "the heartbeats of the cluster fail"})
    at.await("logs it", [&] { return logs(at, promised(line)); });
  server.start_again();
  at.await("is ready again", [&] { return at.get("/readyz").status == 200; });
  game.x->socket().close();
  game.o->socket().close();
}

}  // namespace
}  // namespace gamehub::tests::system
