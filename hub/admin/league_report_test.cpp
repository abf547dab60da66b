#include "hub/admin/league_report.hpp"

#include "tests/support/catch.hpp"

#include <stdexcept>

namespace gamehub::admin {
namespace {

constexpr auto standings = R"({"run":3,"engine":"nim","format":"round-robin","games_per_pair":2,
  "bots":2,"state":"done","made":"2020-01-01T00:00:00Z","games":3,"ended":3,"without_result":1,
  "table":[
   {"name":"dot, \"the\" first","games":2,"wins":1,"draws":1,"losses":0,"points":1.5,
    "elo":95.42,"elo_error":310.6,"lost_by":{"rules":0,"timeout":0,"forfeit":0,"absent":0}},
   {"name":"ü","games":2,"wins":0,"draws":1,"losses":1,"points":0.5,
    "elo":-95.42,"elo_error":310.6,"lost_by":{"rules":0,"timeout":1,"forfeit":0,"absent":0}}],
  "met":[{"first":"dot, \"the\" first","second":"ü","wins":1,"draws":1,"losses":0}]})";

TEST_CASE("arena_report: a run as a table") {
  CHECK(run_table(standings) ==
        "run 3: nim, round-robin, 2 games a pair; 3 of 3 games have ended, done\n"
        "1 of them without a result\n"
        "\n"
        "#  bot               games  won  drawn  lost  points  Elo  ±95%  by rules  timeout  "
        "forfeit  absent\n"
        "1  dot, \"the\" first      2    1      1     0     1.5  +95   311         0        0      "
        "  0       0\n"
        "2  ü                     2    0      1     1     0.5  -95   311         0        1        "
        "0       0\n"
        "\n"
        "head to head         won  drawn  lost\n"
        "dot, \"the\" first  ü    1      1     0\n");
}

TEST_CASE("arena_report: a run for spreadsheets") {
  CHECK(run_csv(standings) ==
        "rank,bot,games,wins,draws,losses,points,elo,elo_error,lost_by_rules,lost_by_timeout,"
        "lost_by_forfeit,lost_by_absent\r\n"
        "1,\"dot, \"\"the\"\" first\",2,1,1,0,1.5,+95,311,0,0,0,0\r\n"
        "2,ü,2,0,1,1,0.5,-95,311,0,1,0,0\r\n");
}

TEST_CASE("arena_report: how far a run is") {
  const auto now = progress_of(standings);
  CHECK(now.ended == 3);
  CHECK(now.games == 3);
  CHECK_FALSE(now.active);
  CHECK_THROWS_AS(progress_of("no standings"), std::runtime_error);
}

TEST_CASE("arena_report: bots, and what they did wrong last") {
  CHECK(bot_table(R"({"waiting":1,"running":2,"bots":[
          {"name":"dot","version":"1","engine":"nim","owner":"ann","state":"faulty",
           "endpoint":"http://h/","registered":"","failures":[
            {"at":"2020-01-01T00:00:00Z","code":1548,"text":"taken","game":1},
            {"at":"2020-01-02T00:00:00Z","code":1549,"text":"no such place","game":2}]}]})") ==
        "bot  version  engine  owner  state   latest failure\n"
        "dot  1        nim     ann    faulty  2020-01-02T00:00:00Z 1549 no such place\n"
        "\n"
        "2 games run, 1 wait\n");
}

TEST_CASE("arena_report: ratings, ranked by engine") {
  league::rating r;
  r.engine = "nim";
  r.now = {1'520.25, 80, 0.06};
  r.games = 3;
  r.wins = 2;
  r.losses = 1;
  auto other = r;
  other.engine = "othello";
  const std::vector<named_rating> all{{"dot", r}, {"dash", r}, {"dip", other}};
  const auto csv = rating_csv(all);
  CHECK(csv.find("\r\n1,nim,dot,1520.2,80.0,3,2,0,1\r\n2,nim,dash,") != csv.npos);
  CHECK(csv.find("\r\n1,othello,dip,") != csv.npos);
  CHECK(rating_json(all).find(R"("rating":1520.25)") != std::string::npos);
  CHECK(rating_table({}) == "#  engine  bot  rating  deviation  games  won  drawn  lost\n");
}

}  // namespace
}  // namespace gamehub::admin
