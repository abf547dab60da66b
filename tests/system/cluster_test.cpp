// Hubs whose journal is a PostgreSQL database: what they refuse at the start, what they do while it
// is away, and when another one owns their games.
#include "hub/journal/postgres/connection.hpp"
#include "tests/journal/postgres_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using journal::postgres::connection;

std::int64_t number_from(const std::string& target, const char* statement) {
  return connection{target, {}}.run(statement).number(0, 0);
}

// What a hub says that must not start.
std::string refusal_of(const std::string& target, std::vector<std::string> more = {},
                       std::map<std::string, std::string> variables = {}) {
  std::vector<std::string> words{hub_program(), "serve", "--cluster", target};
  words.insert(words.end(), more.begin(), more.end());
  const auto result = run({words, std::move(variables)});
  CAPTURE(target, result.output, result.errors);
  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
  CHECK(result.errors.find("secret") == std::string::npos);
  return result.errors;
}

TEST_CASE("cluster: a database that can't be used is refused with one sentence") {
  using Catch::Matchers::Contains;
  CHECK_THAT(refusal_of("postgresql://ann:secret@[nowhere/"), Contains("can't be parsed"));
  CHECK_THAT(refusal_of("host=/nowhere password=secret"),
             Contains("No such file or directory") && Contains("give --cluster"));
  CHECK_THAT(refusal_of("service=secret-one", {"--journal", "memory"}), Contains("remove one"));

  const postgres_server server;
  const auto target = server.target();
  CHECK_THAT(refusal_of(server.target("other")), Contains("\"other\" does not exist"));
  connection admin{target, {}};
  admin.run("CREATE ROLE guest LOGIN");
  CHECK_THAT(refusal_of(target + " user=guest"), Contains("grant the role CREATE"));
  CHECK_THAT(refusal_of(target, {"--durability", "machine"}),
             Contains("needs a synchronous standby"));
  admin.run("CREATE SCHEMA gamehub");
  admin.run("CREATE TABLE gamehub.version (version bigint NOT NULL, least bigint NOT NULL)");
  admin.run("INSERT INTO gamehub.version VALUES (9, 8)");
  const auto too_new = Contains("needs a gamehub that knows schema 8");
  CHECK_THAT(refusal_of(target), too_new);
  CHECK_THAT(refusal_of(target, {"--check"}), too_new);
  admin.run("DROP SCHEMA gamehub CASCADE");
  const auto checked = run({{hub_program(), "serve", "--check", "--cluster", target}, {}});
  CHECK(checked.exit_code == 0);
  CHECK(number_from(target, "SELECT count(*) FROM pg_namespace WHERE nspname = 'gamehub'") == 0);
}

TEST_CASE("cluster: hubs on one database give different numbers to games") {
  const postgres_server server;
  const auto target = server.target();
  temporary_folder home;
  {
    const std::map<std::string, std::string> variables{{"XDG_STATE_HOME", home.path()}};
    hub one{{"--cluster", target}, variables}, other{{"--cluster", target}, variables};
    play_whole_game(one, wire::opcodes, wire::turns, scripts().front());
    play_whole_game(other, wire::turns, wire::opcodes, scripts().front());
  }
  CHECK(number_from(target, "SELECT count(*) FROM gamehub.members") == 2);
  CHECK(number_from(target, "SELECT count(*) FROM gamehub.games") == 2);
  CHECK(number_from(target, "SELECT max(id) - min(id) FROM gamehub.games") >= 4'096);
  CHECK(std::filesystem::is_empty(home.path()));
}

// What a verb about the cluster's log prints.
std::string printed_by(std::vector<std::string> words, const std::string& target) {
  words.insert(words.begin(), hub_program());
  words.insert(words.end(), {"--cluster", target});
  const auto result = run({words, {}});
  CAPTURE(words, result.output, result.errors);
  CHECK(result.exit_code == 0);
  return result.output;
}

TEST_CASE("cluster: verbs read and change its log, and import a file into a new one") {
  using Catch::Matchers::Contains;
  const postgres_server server;
  const auto target = server.target();
  connection{target, {}}.run("CREATE DATABASE imported");
  temporary_folder folder;
  const auto file = folder.path() + "/j.db";
  const auto play = [](std::vector<std::string> flags) {
    hub at{std::move(flags)};
    turns_client ann{at.turns()}, bob{at.turns()};
    ann.connect("ann", "tictactoe");
    REQUIRE(ann.next() == "name ann");
    at.await_waiting("tictactoe", 1);
    bob.connect("bob", "tictactoe");
    REQUIRE(bob.next() == "name bob");
    for (const auto* said : {"start 0", "0 state ---/---/--- null"}) REQUIRE(bob.next() == said);
    bob.say(R"({"type":"close","game_id":0})");
    REQUIRE(bob.next() == R"(0 state ---/---/--- "X")");
  };
  play({"--cluster", target});
  CHECK_THAT(printed_by({"journal", "export"}, target), Contains("\"ann\"") && Contains("\"bob\""));
  CHECK_THAT(printed_by({"journal", "stats"}, target),
             Contains("the cluster's database") && Contains("1: 0 open, 1 ended"));
  CHECK_THAT(printed_by({"verify"}, target), Contains("1 game"));
  CHECK_THAT(printed_by({"journal", "forget", "--name", "ann"}, target), Contains("in 1 game"));
  CHECK_THAT(printed_by({"journal", "export"}, target), !Contains("\"ann\""));
  CHECK_THAT(printed_by({"verify"}, target), Contains("1 game"));

  const auto other = server.target("imported");
  play({"--journal", "sqlite:" + file});
  CHECK(printed_by({"cluster", "import", file}, other) == "imported 1 ended and 0 open games\n");
  CHECK_THAT(printed_by({"journal", "export"}, other), Contains("\"ann\""));
  CHECK_THAT(printed_by({"verify"}, other), Contains("1 game"));
  CHECK(number_from(other, "SELECT last FROM gamehub.ids WHERE kind = 'games'") >= 1);
  const auto again = run({{hub_program(), "cluster", "import", file, "--cluster", target}, {}});
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.errors, Contains("import into a new database"));
}

TEST_CASE("cluster: a hub whose games another one owns leaves its clients and ends") {
  const postgres_server server;
  const auto target = server.target();
  hub at{{"--cluster", target, "--drain-seconds", "60"}};
  auto game = open_game(at, wire::opcodes, wire::turns);
  turns_client waiting{at.turns()};
  waiting.connect("waiting", "connect-four");
  REQUIRE(waiting.next() == "name waiting");
  connection admin{target, {}};
  admin.run("INSERT INTO gamehub.members (address, build) VALUES ('there', 'test')");
  admin.run("UPDATE gamehub.members SET adopted_by = 2 WHERE id = 1");
  // The move is told to neither side.
  game.o->moves(0);
  game.x->is_sent_away();
  game.o->is_sent_away();
  CHECK(waiting.next() == "end");
  for (auto* each : {&game.x->socket(), &game.o->socket(), &waiting.socket()}) each->close();
  CHECK(at.wait() == 75);
  const auto log = at.process().errors();
  CAPTURE(log);
  CHECK(log.find("Member 2 has adopted the games of this hub") != std::string::npos);
  CHECK(number_from(target, "SELECT count(*) FROM gamehub.games") == 0);
}

TEST_CASE("cluster: moves wait while the database is away, and their clocks stand") {
  postgres_server server;
  hub at{{"--cluster", server.target(), "--turn-seconds", "1", "--handshake-seconds", "2"}};
  auto game = open_game(at, wire::turns, wire::turns);
  server.stop();
  game.o->moves(0);
  at.await("says that the database is away", [&] {
    const auto ready = at.get("/readyz");
    return ready.status == 503 &&
           ready.body.find("The cluster's database can't be written") != std::string::npos;
  });
  // Longer than a turn.
  tcp_client silent{at.turns()};
  CHECK(silent.rest() == "{\"type\":\"close\",\"error\":\"handshake-timeout\"}\n");
  silent.close();
  CHECK(at.count("gamehub_journal_ok") == 0);
  CHECK(at.get("/healthz").status == 200);
  server.start_again();
  const std::string board = "O---X----";
  game.o->is_answered(board, true);
  game.x->sees(board);
  game.x->is_prompted(board);
  play_out(*game.x, *game.o, board, {1, 3, 7}, 'X');
  at.await("is ready again", [&] { return at.get("/readyz").status == 200; });
  game.x->socket().close();
  game.o->socket().close();
}

}  // namespace
}  // namespace gamehub::tests::system
