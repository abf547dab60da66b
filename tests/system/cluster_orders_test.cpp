// Hubs on one database: what an operator orders one of them to do holds at all.
#include "hub/journal/postgres/connection.hpp"
#include "tests/journal/postgres_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/turns_client.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using Catch::Matchers::Contains;

// A database, and hubs with one operator.
struct operated_cluster {
  operated_cluster() { std::ofstream{token_file} << "a-token-for-the-operator\n"; }

  std::vector<std::string> flags() const {
    return {"--cluster", server.target(), "--admin-token-file", token_file};
  }
  run_result order(hub& at, std::vector<std::string> words) const {
    words.insert(words.begin(), hub_program());
    words.insert(words.end(),
                 {"--admin-port", std::to_string(at.admin()), "--admin-token-file", token_file});
    return run({std::move(words), {}});
  }
  std::string done(hub& at, std::vector<std::string> words) const {
    const auto said = order(at, std::move(words));
    CAPTURE(said.errors);
    CHECK(said.exit_code == 0);
    return said.output;
  }

  postgres_server server;
  temporary_folder folder;
  std::string token_file = folder.path() + "/token";
};

// The hub ends the connection, whatever it says before.
void is_sent_away(turns_client& c) {
  while (c.next() != "end") continue;
  c.socket().close();
}

bool lets_in(hub& at, const char* name) {
  turns_client c{at.turns()};
  c.connect(name, "tictactoe", 0);
  const auto said = c.next();
  c.socket().close();
  return said == std::string{"name "} + name;
}

TEST_CASE(
    "cluster orders: a ban at one hub holds at all, also after a restart, until it is lifted") {
  const operated_cluster c;
  hub one{c.flags()};
  {
    hub two{c.flags()};
    turns_client eve{two.turns()}, bob{two.turns()};
    eve.connect("eve");
    REQUIRE(eve.next() == "name eve");
    bob.connect("bob");
    REQUIRE(bob.next() == "name bob");
    REQUIRE(bob.next() == "start 0");
    CHECK(c.done(one, {"ban", "--name", "eve", "--reason", "rude"}) == "banned-name eve\n");
    is_sent_away(eve);
    two.await_count("gamehub_connections_closed_total",
                    {{"gateway", "turns"}, {"reason", "banned"}}, 1);
    two.await_count("gamehub_games_running", {}, 0);
    CHECK_FALSE(lets_in(two, "eve"));
    CHECK_FALSE(lets_in(one, "EVE"));
    CHECK_THAT(c.done(two, {"sanctions"}), Contains("eve") && Contains("rude"));
    CHECK(c.done(two, {"mute", "--name", "bob"}) == "muted-name bob\n");
    CHECK_THAT(c.done(two, {"sanctions"}), Contains("eve") && Contains("bob"));
    one.await("lists what another hub was ordered",
              [&] { return c.done(one, {"sanctions"}).find("bob") != std::string::npos; });
  }
  hub two{c.flags()};
  CHECK_FALSE(lets_in(two, "eve"));
  CHECK_THAT(c.done(two, {"sanctions"}), Contains("eve") && Contains("rude") && Contains("bob"));
  CHECK(c.done(two, {"unban", "--name", "eve"}) == "banned-name eve\n");
  CHECK(lets_in(two, "eve"));
  one.await("lets in whose ban another hub has lifted", [&] { return lets_in(one, "eve"); });
  CHECK(c.order(one, {"unban", "--name", "eve"}).exit_code == 1);
}

TEST_CASE("cluster orders: a ban of an address closes its connections at all hubs") {
  const operated_cluster c;
  hub one{c.flags()}, two{c.flags()};
  turns_client lines{two.turns()};
  lines.connect("ann");
  REQUIRE(lines.next() == "name ann");
  api_client web{two.http()};
  CHECK(web.get("/api/engines").status == 200);
  CHECK(c.done(one, {"ban", "--address", "127.0.0.0/8"}) == "banned-address 127.0.0.0/8\n");
  is_sent_away(lines);
  two.await_count("gamehub_connections", {{"gateway", "http"}}, 0);
  api_client later{two.http()};
  CHECK(later.get("/api/games").code() == 109);
}

TEST_CASE("cluster orders: without the database an order is refused, and bans stay in force") {
  operated_cluster c;
  hub one{c.flags()}, two{c.flags()};
  CHECK(c.done(one, {"ban", "--name", "eve"}) == "banned-name eve\n");
  two.await("bans whom another hub was ordered to ban",
            [&] { return c.done(two, {"sanctions"}).find("eve") != std::string::npos; });
  c.server.stop();
  for (const auto& words : {std::vector<std::string>{"ban", "--name", "bob"},
                            std::vector<std::string>{"unban", "--name", "eve"}}) {
    const auto refused = c.order(one, words);
    CHECK(refused.exit_code == 1);
    CHECK_THAT(refused.errors,
               Contains("so nothing was done, and what was in force stays: repeat the command"));
  }
  for (auto* at : {&one, &two}) {
    const auto listed = c.done(*at, {"sanctions"});
    CHECK_THAT(listed, Contains("eve") && !Contains("bob"));
  }
  CHECK_FALSE(lets_in(two, "eve"));
  c.server.start_again();
  CHECK(c.done(one, {"ban", "--name", "bob"}) == "banned-name bob\n");
  two.await("bans again whom another hub was ordered to ban",
            [&] { return c.done(two, {"sanctions"}).find("bob") != std::string::npos; });
  CHECK_FALSE(lets_in(two, "bob"));
}

TEST_CASE("cluster orders: a file of bans and mutes is named, and imported while hubs run") {
  const operated_cluster c;
  const auto file = c.folder.path() + "/gamehub/journal.db.moderation";
  std::filesystem::create_directories(c.folder.path() + "/gamehub");
  std::ofstream{file} << R"({"sanctions":[{"kind":"banned-name","whom":"eve"}]})";
  hub at{c.flags(), {{"XDG_STATE_HOME", c.folder.path()}}};
  CHECK(lets_in(at, "eve"));
  CHECK_THAT(at.process().errors(),
             Contains(promised("bans and mutes of a file are not in force: gamehub cluster import "
                               "adds them to the cluster") +
                      " file=" + file));
  const auto import = [&](const std::string& from, const std::string& to) {
    return run({{hub_program(), "cluster", "import", from, "--cluster", to}, {}}).output;
  };
  CHECK(import(file, c.server.target()) == "imported 1 of 1 bans and mutes\n");
  at.await("bans whom the file bans", [&] { return !lets_in(at, "eve"); });
  CHECK(import(file, c.server.target()) ==
        "imported 0 of 1 bans and mutes: the cluster has the others\n");
}

TEST_CASE("cluster orders: the import of a journal brings the bans and mutes beside it") {
  const operated_cluster c;
  journal::postgres::connection{c.server.target(), {}}.run("CREATE DATABASE imported");
  const auto file = c.folder.path() + "/j.db";
  {
    hub at{{"--journal", "sqlite:" + file, "--admin-token-file", c.token_file}};
    CHECK(c.done(at, {"ban", "--name", "eve"}) == "banned-name eve\n");
  }
  const auto said = run(
      {{hub_program(), "cluster", "import", file, "--cluster", c.server.target("imported")}, {}});
  CAPTURE(said.errors);
  CHECK(said.output == "imported 0 ended and 0 open games\nimported 1 of 1 bans and mutes\n");
  hub at{{"--cluster", c.server.target("imported")}};
  CHECK_FALSE(lets_in(at, "eve"));
}

}  // namespace
}  // namespace gamehub::tests::system
