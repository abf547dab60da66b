#include "hub/admin/tables.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::admin {
namespace {

TEST_CASE("operate tables: games stand in columns, and how to go on below") {
  CHECK(game_table(R"({"games":[],"next":null})") == "no games\n");
  CHECK(game_table(R"({"games":[
          {"game":117,"engine":"tictactoe","status":"running","players":["ann","bob"]},
          {"game":9,"engine":"nim","status":"waiting","players":["eve"]}],"next":9})") ==
        "117  tictactoe  running  ann, bob\n"
        "9    nim        waiting  eve\n"
        "more: --before 9\n");
}

TEST_CASE("operate tables: sanctions stand in columns, without blanks at the end") {
  CHECK(sanction_table(R"({"sanctions":[]})") == "none\n");
  CHECK(sanction_table(R"({"sanctions":[
          {"kind":"banned-name","whom":"eve","since":"2026-01-02T03:04:05Z","reason":"rude"},
          {"kind":"muted-name","whom":"bob","since":"2026-01-02T03:04:05Z","reason":""}]})") ==
        "banned-name  eve  2026-01-02T03:04:05Z  rude\n"
        "muted-name   bob  2026-01-02T03:04:05Z\n");
}

TEST_CASE("operate tables: orders stand in columns") {
  CHECK(order_table(R"({"orders":[]})") == "none\n");
  CHECK(order_table(R"({"orders":[
          {"at":"2026-01-02T03:04:05Z","order":"ban","target":"eve","reason":"rude",
           "address":"192.0.2.7","page":true,"status":200},
          {"at":"2026-01-02T03:04:04Z","order":"drain","target":"","reason":"",
           "address":"127.0.0.1","page":false,"status":202}]})") ==
        "2026-01-02T03:04:05Z  192.0.2.7  200  ban    eve  rude\n"
        "2026-01-02T03:04:04Z  127.0.0.1  202  drain\n");
}

TEST_CASE("operate tables: what several hubs have stands with its hub, and who did not answer") {
  CHECK(game_table(R"({"games":[
          {"game":9,"engine":"nim","status":"running","players":["eve"],"hub":3},
          {"game":8,"engine":"nim","status":"ended","players":["eve"],"hub":null}],
          "next":null,"unreached":[2]})") ==
        "9  nim  running  eve  hub 3\n"
        "8  nim  ended    eve\n");
  CHECK(order_table(R"({"orders":[
          {"at":"2026-01-02T03:04:05Z","order":"say","target":"hi","reason":"",
           "address":"192.0.2.7","page":true,"status":200,"hub":3}],"unreached":[]})") ==
        "2026-01-02T03:04:05Z  192.0.2.7  200  say  hi    hub 3\n");
  CHECK(words_of_order(R"({"said":"hi","unreached":[2]})") == "hi\n");
  CHECK(unreached_in(R"({"said":"hi","unreached":[2,5]})") ==
        "hub 2 did not answer: gamehub cluster status shows the hubs\n"
        "hub 5 did not answer: gamehub cluster status shows the hubs\n");
  CHECK(unreached_in(R"({"said":"hi"})").empty());
  CHECK(unreached_in("game 17 is told to end\n").empty());
}

TEST_CASE("operate tables: what was done is said in few words") {
  CHECK(words_of_order(R"({"kind":"banned-name","whom":"eve"})") == "banned-name eve\n");
  CHECK(words_of_order("game 17 is told to end\n") == "game 17 is told to end\n");
}

// In the JSON of the admin port they stand as they are.
TEST_CASE("operate tables: no table, order or complaint has a hidden character (S18)") {
  const std::string name = "a\u009b\u202e\u200bb";
  const std::string seen = R"(a\u{9b}\u{202e}\u{200b}b)";
  const auto check = [&](const std::string& out) {
    CAPTURE(out);
    CHECK(out.find(seen) != out.npos);
    for (const auto* hidden : {"\u009b", "\u202e", "\u200b"}) CHECK(out.find(hidden) == out.npos);
  };
  check(game_table(R"({"games":[{"game":9,"engine":"nim","status":"waiting","players":[")" + name +
                   R"("]}],"next":null})"));
  check(sanction_table(R"({"sanctions":[{"kind":"banned-name","whom":")" + name +
                       R"(","since":"2026-01-02T03:04:05Z","reason":"rude"}]})"));
  check(order_table(R"({"orders":[{"at":"2026-01-02T03:04:05Z","order":"ban","target":")" + name +
                    R"(","reason":"","address":"192.0.2.7","page":true,"status":200}]})"));
  check(words_of_order(R"({"kind":"banned-name","whom":")" + name + R"("})"));
  check(complaint_in(R"({"error":"no )" + name + R"("})"));
  check(complaint_in("no " + name + "\n"));
}

TEST_CASE("operate tables: a complaint is found in JSON and in text") {
  CHECK(complaint_in(R"({"error":"no such sanction"})") == "no such sanction");
  CHECK(complaint_in("the token is needed\n") == "the token is needed");
  CHECK(complaint_in("").empty());
}

}  // namespace
}  // namespace gamehub::admin
