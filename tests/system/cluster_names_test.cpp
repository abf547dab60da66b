// Two hubs on one database: names and secrets of players, which no two hubs have.
#include "tests/journal/postgres_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

constexpr const char* id_of_dora = "the-own-client-id-of-dora";

std::string named(turns_client& client, const std::string& name) {
  client.connect(name.c_str(), "tictactoe", 0);
  return client.next();
}

api_answer connects(hub& at, const std::string& form) {
  api_client client{at.http()};
  return client.post("/api/connect", form);
}

TEST_CASE("cluster names: a name or secret of one hub is not given by another one") {
  const postgres_server server;
  // Without links a hub can't ask the other one for a player.
  const std::vector<std::string> flags{"--cluster", server.target(), "--link-port", "off"};
  hub one{flags}, two{flags};
  turns_client other{two.turns()};
  {
    turns_client ann{one.turns()};
    CHECK(named(ann, "ann") == "name ann");
    CHECK(named(other, "ann") == "name ann-1");
    const auto taken = connects(two, "name=Ann");
    CHECK(taken.status == 409);
    CHECK(taken.json()["error"]["cause"] == "name-taken");
    api_player carl{two.http(), "carl"};
    CHECK(carl.post("/api/rename", "&name=ann").json()["error"]["cause"] == "name-taken");
    CHECK(carl.post("/api/rename", "&name=karl").status == 200);
    CHECK(connects(one, "name=karl").status == 409);
    // The old name is reserved at all hubs.
    CHECK(connects(one, "name=carl").status == 409);
    CHECK(connects(one, "name=bob").status == 200);

    const auto dora = "name=dora&client_id=" + std::string{id_of_dora};
    CHECK(connects(one, dora).status == 200);
    const auto elsewhere = connects(two, dora);
    CHECK(elsewhere.status == 503);
    CHECK(elsewhere.code() == 106);
    CHECK(elsewhere.fields.contains("retry-after"));
    CHECK(elsewhere.json()["error"]["message"] ==
          "your player is at another hub: connect there, or again");
  }
  // Its player has gone.
  two.await("gives the name of a player of another hub who left",
            [&] { return connects(two, "name=ann").status == 200; });
  CHECK(two.count("gamehub_refusals_total", {{"reason", "player-elsewhere"}}) == 1);
  CHECK(two.count("gamehub_cluster_claims_total") > 0);
  CHECK(two.count("gamehub_cluster_claims_failed_total") == 0);
}

TEST_CASE("cluster names: what players of a dead hub had is free, but for those in games") {
  const postgres_server server;
  const std::vector<std::string> flags{"--cluster", server.target()};
  hub one{flags}, two{flags};
  const auto sits = R"(,"supported_games":["tictactoe"],"max_games":1,"wants":["resume"]})";
  turns_client ann{one.turns()}, bob{one.turns()}, carl{one.turns()};
  ann.say(R"({"type":"connect","name":"ann")" + std::string{sits});
  REQUIRE(ann.next() == "name ann");
  one.await_waiting("tictactoe", 1);
  bob.say(R"({"type":"connect","name":"bob")" + std::string{sits});
  REQUIRE(bob.next() == "name bob");
  REQUIRE(bob.next() == "start 0");
  REQUIRE(named(carl, "carl") == "name carl");
  const auto dora = "name=dora&client_id=" + std::string{id_of_dora};
  REQUIRE(connects(one, dora).status == 200);
  two.await_count("gamehub_cluster_members", {}, 2);
  one.process().signal(SIGKILL);
  CHECK(one.wait() == 128 + SIGKILL);
  // The hub may be dead, so who wants what it had waits until that is known.
  turns_client later{two.turns()};
  CHECK(named(later, "carl") == "name carl");
  CHECK(connects(two, dora).status == 200);
  two.await_count("gamehub_cluster_adopted_games_total", {}, 1);
  turns_client like_ann{two.turns()}, back{two.turns()};
  CHECK(named(like_ann, "ann") == "name ann-1");
  back.resume(ann.secret());
  CHECK(back.next() == "name ann");
  // The end of the game would be kept for bob.
  turns_client bob_again{two.turns()};
  bob_again.resume(bob.secret());
  CHECK(bob_again.next() == "name bob");
}

TEST_CASE("cluster names: while the database is away, clients are told to try again") {
  postgres_server server;
  hub at{{"--cluster", server.target()}};
  // Before its first heartbeat a hub expects players of others.
  at.await("sends a heartbeat", [&] {
    return at.get("/status.json").body.find("beat_seconds_ago") != std::string::npos;
  });
  server.stop();
  turns_client ann{at.turns()};
  CHECK(named(ann, "ann") == "end");
  CHECK(ann.closed_because() == "hub-full");
  ann.socket().close();
  const auto full = connects(at, "name=bob");
  CHECK(full.status == 503);
  CHECK(full.fields.contains("retry-after"));
  server.start_again();
  at.await("assigns names again", [&] { return connects(at, "name=bob").status == 200; });
  turns_client again{at.turns()};
  CHECK(named(again, "ann") == "name ann");
}

}  // namespace
}  // namespace gamehub::tests::system
