// The bots of a cluster: one hub has them, and each hub leads to it.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/bot_server.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

// Hubs of which one has the bots.
struct hubs_with_bots {
  explicit hubs_with_bots(std::size_t count, std::vector<std::string> more = {})
      : h(count, with_bots(std::move(more))) {
    owner = await_owner();
  }
  // Returns the hub that has the bots; `dead` has ended.
  std::size_t await_owner(std::size_t dead = SIZE_MAX) {
    std::size_t found = SIZE_MAX;
    h[dead == 0 ? 1 : 0].await("one hub has the bots", [&] {
      for (std::size_t i = 0; i < h.hubs.size(); ++i)
        if (i != dead && h[i].count("gamehub_arena_here") == 1) found = i;
      return found != SIZE_MAX;
    });
    return found;
  }
  std::size_t other(std::size_t n) const { return (owner + n) % h.hubs.size(); }
  json list(std::size_t hub) { return json::parse(h[hub].get("/arena").body); }
  // Registers a bot at a hub, which may not know yet which hub has the bots.
  std::string enter(std::size_t hub, const std::string& name, const json& more = {},
                    const std::string& kind = "plain") {
    std::string error;
    h[hub].await("knows the hub that has the bots", [&] {
      error = error_of(bots.enter(h[hub].http(), kind, name, more));
      return error.find("come later") == std::string::npos;
    });
    return error;
  }
  static std::string leaders(hub& at) {
    return api_client{at.http()}.get("/api/leaderboard?engine=tictactoe").body;
  }

  bot_server bots;
  linked_hubs h;
  std::size_t owner = 0;
};

TEST_CASE("cluster bots: a bot is met from each hub, by each wire whose players move") {
  hubs_with_bots c{2, {"--turns-opponent", "bot:Dot"}};
  auto& home = c.h[c.owner];
  auto& far = c.h[c.other(1)];
  REQUIRE(c.enter(c.owner, "Dot").empty());
  home.await_count("gamehub_bots_online", {}, 1);
  api_player ann{far.http(), "ann"};
  REQUIRE(ann.play("&opponent=bot:Dot").contains("game_id"));
  CHECK(home.count("gamehub_games_started_total") == 1);
  CHECK(ann.move(4).status == 200);
  CHECK(c.bots.await_call("Dot", "TicTacToe.NextMove")["params"]["gamestate"][4] == "X");
  CHECK(ann.post("/api/quit").status == 200);
  CHECK(c.bots.await_call("Dot", "TicTacToe.Complete")["params"]["winner"] == true);
  turns_client eve{far.turns()};
  eve.connect("eve");
  REQUIRE(eve.next() == "name eve");
  REQUIRE(eve.next() == "start 0");
  CHECK(eve.line()["players"] == json{"eve", "Dot"});
  // No hub has this one.
  CHECK(api_player{far.http(), "bob"}.post("/api/play", "&opponent=bot:Dash").code() == 106);
}

TEST_CASE("cluster bots: players over HTTP of two hubs gather at a bot's table of three") {
  hubs_with_bots c{3};
  auto& home = c.h[c.owner];
  REQUIRE(c.enter(c.owner, "Dot", {{"game", "dots-and-boxes"}}, "guest").empty());
  home.await_count("gamehub_bots_online", {}, 1);
  const std::string table =
      "&engine=dots-and-boxes&options=%7B%22players%22%3A3%7D&opponents=any,bot:Dot";
  api_player ann{c.h[c.other(1)].http(), "ann"}, bob{c.h[c.other(2)].http(), "bob"};
  const auto waits = ann.play(table);
  INFO(waits.dump());
  REQUIRE(waits["status"] == "waiting");
  CHECK(bob.play(table)["game_id"] == waits["game_id"]);
  CHECK(home.count("gamehub_games_started_total") == 1);
  for (auto* each : {&ann, &bob}) {
    const auto seen =
        each->http
            .get("/api/games/" + waits["game_id"].get<std::string>() + "?client_id=" + each->id)
            .json();
    CHECK(seen["status"] == "running");
    CHECK(seen["kinds"] == json{"player", "player", "bot"});
    CHECK(seen.contains("player"));
  }
  for (auto* each : {&ann, &bob}) CHECK(each->post("/api/quit").status == 200);
}

TEST_CASE("cluster bots: a bot registers at any hub, and all hubs have one arena") {
  hubs_with_bots c{3};
  auto& home = c.h[c.owner];
  REQUIRE(c.enter(c.other(1), "Dot").empty());
  REQUIRE(c.enter(c.other(2), "Dash").empty());
  home.await_count("gamehub_bots_online", {}, 2);
  // A name is one owner's in the whole cluster.
  CHECK(c.enter(c.owner, "Dot", {{"token", "another"}}).find("belongs to another owner") !=
        std::string::npos);
  // One game each way, once.
  home.await_count("gamehub_arena_ended_total", {}, 2);
  home.await_count("gamehub_arena_games", {}, 0);
  const auto best = hubs_with_bots::leaders(home);
  CHECK(json::parse(best)["players"].size() == 2);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(hubs_with_bots::leaders(c.h[i]) == best);
    CHECK(c.list(i)["bots"].size() == 2);
    CHECK(c.h[i].count("gamehub_arena_here") == (i == c.owner ? 1 : 0));
  }
  for (const std::size_t i : {c.other(1), c.other(2)}) {
    CHECK(c.h[i].count("gamehub_bots_online") == 0);
    CHECK(c.h[i].count("gamehub_arena_ended_total") == 0);
    api_player ann{c.h[i].http(), "ann" + std::to_string(i)};
    REQUIRE(ann.play("&opponent=bot:Dot").contains("game_id"));
    CHECK(ann.post("/api/quit").status == 200);
  }
  const auto forgotten = run({{hub_program(), "arena", "forget", "Dot", "--admin-port",
                               std::to_string(c.h[c.other(1)].admin())},
                              {}});
  CHECK(forgotten.output == "forgot Dot\n");
  CHECK(c.list(c.owner)["bots"].size() == 1);
  CHECK(c.bots.violations().empty());
}

TEST_CASE(
    "cluster bots: when the hub that has the bots ends, another one has them and their games") {
  for (const int signal : {SIGKILL, SIGTERM}) {
    CAPTURE(signal);
    hubs_with_bots c{2};
    REQUIRE(c.enter(c.other(1), "Dot").empty());
    REQUIRE(c.enter(c.other(1), "Dash").empty());
    auto& home = c.h[c.owner];
    auto& next = c.h[c.other(1)];
    home.await_count("gamehub_arena_ended_total", {}, 2);
    const auto best = json::parse(hubs_with_bots::leaders(next))["players"];
    home.process().signal(signal);
    CHECK(home.wait() == (signal == SIGKILL ? 128 + SIGKILL : 0));
    REQUIRE(c.await_owner(c.owner) == c.other(1));
    next.await_count("gamehub_bots_online", {}, 2);
    const auto then = json::parse(hubs_with_bots::leaders(next))["players"];
    REQUIRE(then.size() == 2);
    for (std::size_t i = 0; i < 2; ++i)
      for (const auto* member : {"name", "rating", "games"})
        CHECK(then[i][member] == best[i][member]);
    // What was played is not played again.
    CHECK(next.count("gamehub_arena_games") == 0);
    api_player ann{next.http(), "ann"};
    REQUIRE(ann.play("&opponent=bot:Dot").contains("game_id"));
    CHECK(ann.post("/api/quit").status == 200);
    REQUIRE(c.enter(c.other(1), "Dip").empty());
    next.await_count("gamehub_arena_ended_total", {}, 4);
  }
}

// Of three hubs: the hub that adopts the games of one that drains is another one than the hub that
// adopts its log, which has no games any more.
TEST_CASE("cluster bots: a drain hands the bots over with their games, which count once") {
  hubs_with_bots c{3};
  REQUIRE(c.enter(c.owner, "Slow", {}, "held").empty());
  REQUIRE(c.enter(c.owner, "Dot").empty());
  auto& home = c.h[c.owner];
  home.await_count("gamehub_arena_games", {{"state", "running"}}, 1);
  c.bots.await_call("Slow", "TicTacToe.NextMove");
  home.process().signal(SIGTERM);
  CHECK(home.wait() == 0);
  auto& next = c.h[c.await_owner(c.owner)];
  next.await_count("gamehub_bots_online", {}, 2);
  next.await_count("gamehub_games_running", {}, 1);
  // Both games are played to the end: of ten moves at most, and an answer to the hub that has
  // ended.
  for (int i = 0; i < 12; ++i) c.bots.let_move("Slow");
  next.await_count("gamehub_arena_games", {}, 0);
  CHECK(next.count("gamehub_arena_ended_total") == 2);
  CHECK(next.count("gamehub_bot_faults_total") == 0);
  const auto best = json::parse(hubs_with_bots::leaders(next))["players"];
  REQUIRE(best.size() == 2);
  for (const auto& each : best) CHECK(each["games"] == 2);
}

TEST_CASE("cluster bots: a game with a bot goes on when their hub is killed") {
  hubs_with_bots c{2};
  REQUIRE(c.enter(c.owner, "Slow", {}, "held").empty());
  c.h[c.owner].await_count("gamehub_bots_online", {}, 1);
  api_player ann{c.h[c.other(1)].http(), "ann"};
  REQUIRE(ann.play("&opponent=bot:Slow").contains("game_id"));
  REQUIRE(ann.move(4).status == 200);
  c.bots.await_call("Slow", "TicTacToe.NextMove");
  c.h[c.owner].process().signal(SIGKILL);
  CHECK(c.h[c.owner].wait() == 128 + SIGKILL);
  // The first answer goes to the hub that is dead, the next one to the hub that has the game.
  c.bots.let_move("Slow");
  const auto asked = c.bots.await_call("Slow", "TicTacToe.NextMove")["params"];
  CHECK(asked["gamestate"][4] == "X");
  c.bots.let_move("Slow");
  auto& next = c.h[c.other(1)];
  next.await("has the move of the bot", [&] { return ann.move(8).status == 200; });
  CHECK(ann.post("/api/quit").status == 200);
  CHECK(c.bots.await_call("Slow", "TicTacToe.Complete")["params"]["winner"] == true);
  next.await_count("gamehub_games_running", {}, 0);
}

TEST_CASE("cluster bots: tokens are those of the cluster, and a revoked one holds at no hub") {
  bot_server bots;
  linked_hubs h{2, {"--bot-allow", "127.0.0.0/8"}};
  const auto verb = [&](std::vector<std::string> words) {
    words.insert(words.begin(), hub_program());
    words.insert(words.end(), {"--cluster", h.server.target()});
    const auto said = run({std::move(words), {}});
    CAPTURE(said.errors);
    CHECK(said.exit_code == 0);
    return said.output;
  };
  auto token = verb({"token", "add", "ann"});
  token.pop_back();
  const auto enter = [&](std::size_t hub, const std::string& name) {
    return error_of(bots.enter(h[hub].http(), "plain", name, {{"token", token}}));
  };
  h[0].await("one hub has the bots", [&] {
    return h[0].count("gamehub_arena_here") + h[1].count("gamehub_arena_here") == 1;
  });
  h[0].await("a bot registers", [&] { return enter(0, "Dot").empty(); });
  h[1].await("a bot registers", [&] { return enter(1, "Dash").empty(); });
  CHECK(verb({"token", "list"}).find("ann") != std::string::npos);
  CHECK(verb({"token", "revoke", "ann"}) == "revoked 1 token\n");
  for (const std::size_t hub : {0u, 1u})
    CHECK(enter(hub, "Dip").find("token is not known") != std::string::npos);
  CHECK(verb({"arena", "ratings", "--output", "json"}).find("ratings") != std::string::npos);
  const auto refused =
      run({{hub_program(), "arena", "backup", "x", "--cluster", h.server.target()}, {}});
  CHECK(refused.exit_code == 2);
}

}  // namespace
}  // namespace gamehub::tests::system
