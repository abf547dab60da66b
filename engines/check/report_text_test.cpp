#include "engines/check/report_text.hpp"

#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace gamehub::engines::check {
namespace {

verdict sound() {
  verdict v;
  v.engine = {"nim", "1.2.0", 3, 15, 4};
  v.seen = {12, 1234, 15, 3, 4};
  v.calls = {{"apply", 12345, 80, 1500, 2'500'000, 0}};
  v.compared = 4;
  return v;
}

breach spoiled() {
  breach b;
  b.promise = "an illegal action is taken";
  b.detail = "seat 0, action 9";
  b.in_game = true;
  b.seed = 17;
  b.after = "0:4 1:0";
  b.state = "{\"a\":1}";
  return b;
}

check_request asked() {
  check_request r;
  r.target = "./nim.so";
  r.seeds = 12;
  return r;
}

TEST_CASE("kit words: a contract that is kept is one line and what was seen") {
  CHECK(in_words(sound(), asked()) ==
        R"(nim 1.2.0 keeps the contract: 12 games, 1,234 plies, 4 games alike in two processes

                            seen    declared
  longest game                15          15
  most actions                 3           3
  bytes of state               4           4

  microseconds             calls       p50       p99        most
  apply                   12,345      0.08      1.50     2500.00
)");
  auto quick = asked();
  quick.quick = true;
  CHECK(in_words(sound(), quick) ==
        "nim 1.2.0 keeps the contract: 12 games, 1,234 plies, 4 games alike in two processes\n");
  auto longer = asked();
  longer.seeds = 100;
  CHECK(
      in_words(sound(), longer)
          .find(
              "two processes\n  note     12 of 100 games in the time: --seconds gives more\n\n ") !=
      std::string::npos);
  auto program = sound();
  program.played = 3;
  CHECK(in_words(program, quick) ==
        "nim 1.2.0 keeps the contract: 12 games, 1,234 plies, 4 games alike in two processes, "
        "3 by the request play\n");
}

TEST_CASE("kit words: a broken promise says which, after what, and how to see it again") {
  auto v = sound();
  v.broken = {spoiled()};
  v.warnings = {"apply takes long"};
  auto quick = asked();
  quick.quick = true;
  CHECK(in_words(v, quick) ==
        R"(nim 1.2.0 breaks the contract: an illegal action is taken: seat 0, action 9
  after    0:4 1:0
  state    {"a":1}
  again    gamehub engine check ./nim.so --seed 17 --seeds 1
  warning  apply takes long
)");
}

TEST_CASE("kit words: the command that shows it again says what was asked, fit for a shell") {
  auto what = spoiled();
  auto how = asked();
  how.target = "./my plugin.so";
  how.options = R"({"rows":3})";
  how.players = 3;
  how.reveals_midway = true;
  CHECK(command_again(what, how) ==
        "gamehub engine check './my plugin.so' --seed 17 --seeds 1 --options '{\"rows\":3}' "
        "--players 3 --reveals-midway");
  how = asked();
  how.target = "it's.so";
  what.in_game = false;
  CHECK(command_again(what, how) == "gamehub engine check 'it'\\''s.so'");
}

TEST_CASE("kit words: a leak is shown again by both games") {
  auto what = spoiled();
  what.other_seed = 3;
  CHECK(command_again(what, asked()) == "gamehub engine check ./nim.so --seed 3 --seeds 15");
}

TEST_CASE("kit words: an engine that was never there is named by its file") {
  verdict v;
  v.broken = {breach{}};
  v.broken.front().promise = "the engine crashes";
  CHECK(in_words(v, asked()) ==
        "./nim.so breaks the contract: the engine crashes\n  again    gamehub engine check "
        "./nim.so\n");
}

TEST_CASE("kit words: what an engine says stays on its line") {
  auto v = sound();
  v.broken = {spoiled()};
  v.broken.front().detail = "a\nb\tc\x1b[31m";
  auto quick = asked();
  quick.quick = true;
  const auto text = in_words(v, quick);
  CHECK(text.substr(0, text.find('\n')) ==
        "nim 1.2.0 breaks the contract: an illegal action is taken: a.b.c.[31m");
}

TEST_CASE("kit words: JSON says the same") {
  auto v = sound();
  v.broken = {spoiled()};
  v.broken.front().detail = "\xff";
  v.perft = {{1, 3, 0, 0.5}};
  v.playthrough = "Nim\n";
  const auto said = nlohmann::json::parse(in_json(v, asked()));
  CHECK(said["kept"] == false);
  CHECK(said["engine"]["version"] == "1.2.0");
  CHECK(said["broken"][0]["promise"] == "an illegal action is taken");
  CHECK(said["broken"][0]["again"] == command_again(v.broken.front(), asked()));
  CHECK(said["seen"]["plies_most"] == 15);
  CHECK(said["calls"][0]["p99"] == 1500);
  CHECK(said["perft"][0]["nodes"] == 3);
  CHECK(said["playthrough"] == "Nim\n");
}

}  // namespace
}  // namespace gamehub::engines::check
