// Hubs of two versions in one cluster: the later one writes what the former one can read, until an
// operator says that no former one is left.
#include "hub/journal/postgres/connection.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/whole_game.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using Catch::Matchers::Contains;

struct versions {
  std::unique_ptr<hub> start(const std::string& program) const {
    return std::make_unique<hub>(
        std::vector<std::string>{"--cluster", server.target(), "--drain-seconds", "300"},
        std::map<std::string, std::string>{}, program);
  }
  std::unique_ptr<hub> start_former() const { return start(GAMEHUB_FORMER_PROGRAM); }
  std::unique_ptr<hub> start_present() const { return start(hub_program()); }
  auto run_verb(const std::string& program, std::vector<std::string> words) const {
    words.insert(words.begin(), program);
    words.insert(words.end(), {"--cluster", server.target()});
    return run({words, {}});
  }

  postgres_server server;
};

void begin_drain(hub& at) {
  at.process().signal(SIGTERM);
  at.await("drains", [&] { return at.get("/readyz").status == 503; });
}

void end_game(opened_game& game) {
  play_out(*game.x, *game.o, game.board, {0, 1, 3, 7}, 'X');
  for (auto* each : {&game.x->socket(), &game.o->socket()}) each->close();
}

TEST_CASE("cluster versions: a rolling update goes forth, and back until the upgrade") {
  versions v;
  auto former = v.start_former(), present = v.start_present();
  for (auto* each : {former.get(), present.get()}) linked_hubs::await_links(*each, 1);
  SECTION("the later version hands over what the former one can continue") {
    auto game = open_game(*present, wire::turns, wire::turns);
    begin_drain(*present);
    former->await_count("gamehub_cluster_adopted_games_total", {}, 1);
    end_game(game);
    CHECK(present->wait() == 0);
  }
  SECTION("a client without a secret needs a later format: it ends its game where it is") {
    auto game = open_game(*present, wire::opcodes, wire::turns);
    begin_drain(*present);
    end_game(game);
    CHECK(present->wait() == 0);
    CHECK(former->count("gamehub_cluster_adopted_games_total") == 0);
  }
  SECTION("the opponent in such a game moves over HTTP at the other hub") {
    api_player x{present->http(), "stan"};
    REQUIRE(x.play()["status"] == "waiting");
    const auto o = make_player(*present, wire::opcodes);
    o->join();
    o->begins('O');
    begin_drain(*present);
    // Which has had no request of that client before.
    api_client any{former->http()};
    const auto move = [&](int cell) {
      CHECK(
          any.post("/api/move", "client_id=" + x.id + "&position=" + std::to_string(cell)).status ==
          200);
    };
    std::string board = "---------";
    for (const int cell : {0, 1}) {
      move(cell);
      board[static_cast<std::size_t>(cell)] = 'X';
      o->sees(board);
      o->is_prompted(board);
      o->moves(cell + 3);
      board[static_cast<std::size_t>(cell) + 3] = 'O';
      o->is_answered(board, true);
    }
    move(2);
    o->sees_end("XXXOO----", 'X');
    o->socket().close();
    CHECK(present->wait() == 0);
  }
  SECTION("the former version hands over to the later one") {
    auto game = open_game(*former, wire::turns, wire::turns);
    begin_drain(*former);
    present->await_count("gamehub_cluster_adopted_games_total", {}, 1);
    end_game(game);
    CHECK(former->wait() == 0);
  }
}

TEST_CASE("cluster versions: the upgrade waits for the last former hub, and lets none join later") {
  versions v;
  auto former = v.start_former(), present = v.start_present();
  auto no = v.run_verb(hub_program(), {"cluster", "upgrade"});
  CHECK(no.exit_code == 2);
  CHECK_THAT(no.errors, Contains("member 1 (gamehub ") && Contains("reads record formats up to 1"));
  CHECK(std::count(no.errors.begin(), no.errors.end(), '\n') == 1);
  former->process().signal(SIGTERM);
  CHECK(former->wait() == 0);
  const auto done = v.run_verb(hub_program(), {"cluster", "upgrade"});
  CHECK(done.exit_code == 0);
  CHECK(done.output == "all hubs of the cluster write record format 3 from now on\n");
  const auto again = v.run_verb(hub_program(), {"cluster", "upgrade"});
  CHECK_THAT(again.output, Contains("nothing to do"));
  for (const auto& how : {std::vector<std::string>{"serve"}, {"serve", "--check"}}) {
    no = v.run_verb(GAMEHUB_FORMER_PROGRAM, how);
    CHECK(no.exit_code == 2);
    CHECK_THAT(no.errors,
               Contains("write record format 3, and this gamehub reads formats up to 1"));
    CHECK(std::count(no.errors.begin(), no.errors.end(), '\n') == 1);
  }
  // A hub that was there before hears of it.
  auto other = v.start_present();
  for (auto* each : {present.get(), other.get()}) linked_hubs::await_links(*each, 1);
  auto game = open_game(*present, wire::opcodes, wire::turns);
  begin_drain(*present);
  other->await_count("gamehub_cluster_adopted_games_total", {}, 1);
  end_game(game);
  CHECK(present->wait() == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
