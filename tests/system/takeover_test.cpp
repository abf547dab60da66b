// Two hubs on one database: what becomes of the games of one that is killed, paused or drained.
#include "tests/journal/postgres_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

// A game of tictactoe between two that resume, ann being X, with one move.
struct resumable_game {
  explicit resumable_game(hub& at, const std::string& x = "ann", const std::string& o = "bob")
      : ann(at.turns()), bob(at.turns()) {
    ann.say(R"({"type":"connect","name":")" + x +
            R"(","supported_games":["tictactoe"],"max_games":1,"wants":["resume"]})");
    REQUIRE(ann.next() == "name " + x);
    at.await_waiting("tictactoe", 1);
    bob.say(R"({"type":"connect","name":")" + o +
            R"(","supported_games":["tictactoe"],"max_games":1,"wants":["resume"]})");
    for (const auto& said :
         {"name " + o, std::string{"start 0"}, std::string{"0 state ---/---/--- null"}})
      REQUIRE(bob.next() == said);
    for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
      REQUIRE(ann.next() == said);
    ann.move(0, 1, 1);
    REQUIRE(ann.next() == "0 state ---/-X-/--- null");
    for (const auto* said : {"0 state ---/-X-/--- null", "0 turn"}) REQUIRE(bob.next() == said);
  }

  turns_client ann, bob;
};

// Both come back with their secrets, see what they were told, and end the game.
void check_goes_on(hub& at, const std::string& ann_secret, const std::string& bob_secret) {
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.resume(ann_secret);
  for (const auto* said : {"name ann", "start 0", "0 state ---/-X-/--- null"})
    REQUIRE(ann.next() == said);
  bob.resume(bob_secret);
  for (const auto* said : {"name bob", "start 0", "0 state ---/-X-/--- null", "0 turn"})
    REQUIRE(bob.next() == said);
  bob.move(0, 0, 0);
  REQUIRE(bob.next() == "0 state O--/-X-/--- null");
  for (const auto* said : {"0 state O--/-X-/--- null", "0 turn"}) REQUIRE(ann.next() == said);
  ann.say(R"({"type":"close","game_id":0})");
  REQUIRE(bob.next() == R"(0 state O--/-X-/--- "O")");
  REQUIRE(bob.next() == "close 0");
  while (ann.next() != "close 0") continue;
}

// The hub closes their connections.
void are_sent_away(resumable_game& game) {
  for (auto* each : {&game.ann, &game.bob}) {
    while (each->next() != "end") continue;
    each->socket().close();
  }
}

void await_adoptions(hub& at, int wanted) {
  at.await_count("gamehub_cluster_adoptions_total", {}, wanted);
}

TEST_CASE("takeover: the games of a hub that is killed go on at another one") {
  const postgres_server server;
  const std::vector<std::string> flags{"--cluster", server.target()};
  hub one{flags}, two{flags};
  resumable_game game{one};
  two.await_count("gamehub_cluster_members", {}, 2);
  resumable_game own{two, "carl", "dora"};
  one.process().signal(SIGKILL);
  CHECK(one.wait() == 128 + SIGKILL);
  await_adoptions(two, 1);
  CHECK(two.count("gamehub_cluster_adopted_games_total") == 1);
  check_goes_on(two, game.ann.secret(), game.bob.secret());
  // Its own game was not disturbed.
  own.bob.move(0, 0, 0);
  REQUIRE(own.bob.next() == "0 state O--/-X-/--- null");
  two.await_count("gamehub_cluster_members", {}, 1);
  const auto shown =
      run({{hub_program(), "cluster", "status", "--admin-port", std::to_string(two.admin())}, {}});
  CAPTURE(shown.output, shown.errors);
  CHECK(shown.exit_code == 0);
  CHECK(shown.output.starts_with("member 1  adopted  by member 2 "));
  CHECK(shown.output.find("member 2  here     beat ") != std::string::npos);
}

TEST_CASE("takeover: a hub that starts continues the games of a cluster that was off altogether") {
  const postgres_server server;
  const std::vector<std::string> flags{"--cluster", server.target()};
  std::string ann, bob;
  {
    hub one{flags};
    resumable_game game{one};
    ann = game.ann.secret(), bob = game.bob.secret();
    one.process().signal(SIGKILL);
    one.wait();
  }
  {
    // It adopts the first one, and dies as well.
    hub two{flags};
    await_adoptions(two, 1);
    two.process().signal(SIGKILL);
    two.wait();
  }
  hub three{flags};
  await_adoptions(three, 1);
  check_goes_on(three, ann, bob);
}

TEST_CASE("takeover: a hub that was paused wakes up without its games, and says nothing untrue") {
  const postgres_server server;
  const std::vector<std::string> flags{"--cluster", server.target()};
  hub one{flags}, two{flags};
  resumable_game game{one};
  one.process().signal(SIGSTOP);
  await_adoptions(two, 1);
  // A move that reaches the paused hub.
  game.bob.move(0, 2, 2);
  check_goes_on(two, game.ann.secret(), game.bob.secret());
  one.process().signal(SIGCONT);
  for (std::string said; said != "end"; said = game.bob.next())
    CHECK(said.find("state --") == std::string::npos);
  are_sent_away(game);
  CHECK(one.wait() == 75);
}

TEST_CASE("takeover: without links a drain hands games over of clients that come back") {
  const postgres_server server;
  const std::vector<std::string> flags{"--cluster", server.target(), "--drain-seconds",
                                       "300",       "--link-port",   "off"};
  hub one{flags}, two{flags};
  one.await_count("gamehub_cluster_members", {}, 2);
  resumable_game game{one};
  // Clients that have not shown that they come back.
  turns_client carl{one.turns()}, dora{one.turns()};
  carl.say(R"({"type":"connect","name":"carl","supported_games":["nim"],"max_games":1})");
  REQUIRE(carl.next() == "name carl");
  one.await_waiting("nim", 1);
  dora.say(R"({"type":"connect","name":"dora","supported_games":["nim"],"max_games":1})");
  while (carl.next() != "0 turn") continue;
  one.process().signal(SIGTERM);
  are_sent_away(game);
  check_goes_on(two, game.ann.secret(), game.bob.secret());
  CHECK(two.count("gamehub_cluster_adopted_games_total") == 1);
  // The first hub is still there for the game that can't be handed over.
  carl.say(R"({"type":"close","game_id":0})");
  while (!dora.next().starts_with("close 0")) continue;
  CHECK(one.wait() == 0);
}

TEST_CASE("takeover: a hub that drains alone parks its games, and the next one continues them") {
  const postgres_server server;
  const std::vector<std::string> flags{"--cluster", server.target(), "--drain-seconds", "60"};
  hub one{flags};
  resumable_game game{one};
  one.process().signal(SIGTERM);
  are_sent_away(game);
  CHECK(one.wait() == 0);
  hub two{flags};
  await_adoptions(two, 1);
  check_goes_on(two, game.ann.secret(), game.bob.secret());
}

// Three hubs, and a game of a plugin that crashes the last two at its second move; another game
// goes on.
struct poisoned_cluster {
  // `moves`: 1 or 2, of the game before the first hub is killed.
  explicit poisoned_cluster(int moves) {
    files.put("poison/poison.so", "poison.so");
    flags = {"--cluster", server.target(), "--plugins", files.path().string()};
    hub one{flags};
    resumable_game game{one};
    turns_client x{one.turns()}, o{one.turns()};
    x.connect("x", "poison");
    one.await_waiting("poison", 1);
    o.connect("o", "poison");
    while (x.next() != "0 turn") continue;
    x.move(0, 0, 0);
    while (o.next() != "0 turn") continue;
    if (moves == 2) {
      o.move(0, 0, 1);
      REQUIRE(o.next() == "0 state XO/-- null");
    }
    ann = game.ann.secret(), bob = game.bob.secret(), victim = o.secret();
    one.process().signal(SIGKILL);
    CHECK(one.wait() == 128 + SIGKILL);
  }
  std::unique_ptr<hub> poisoned(const std::vector<std::string>& more = {}) const {
    std::ofstream{files / "poisoned"};
    auto all = flags;
    all.insert(all.end(), more.begin(), more.end());
    return std::make_unique<hub>(all);
  }
  // The third hub puts the game aside, and continues the other one.
  void ends_well() const {
    const auto three = poisoned();
    await_adoptions(*three, 1);
    CHECK(three->count("gamehub_cluster_adopted_games_total") == 1);
    const auto log = three->process().errors();
    CHECK(log.find("another process, which was ended by SIGABRT") != std::string::npos);
    check_goes_on(*three, ann, bob);
  }

  const postgres_server server;
  const plugin_folder files;
  std::vector<std::string> flags;
  std::string ann, bob, victim;
};

TEST_CASE("takeover: a game that crashes at its replay ends one hub only") {
  const poisoned_cluster c{2};
  // Without links it does not wait for other hubs, and is ready before it takes the games over.
  CHECK(c.poisoned({"--link-port", "off"})->wait() == 128 + SIGABRT);
  c.ends_well();
}

TEST_CASE("takeover: a game that crashes at its next move ends one hub only") {
  const poisoned_cluster c{1};
  {
    const auto two = c.poisoned();
    await_adoptions(*two, 1);
    turns_client o{two->turns()};
    o.resume(c.victim);
    while (o.next() != "0 turn") continue;
    o.move(0, 0, 1);
    CHECK(two->wait() == 128 + SIGABRT);
  }
  c.ends_well();
}

}  // namespace
}  // namespace gamehub::tests::system
