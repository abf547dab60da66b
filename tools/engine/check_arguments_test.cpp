#include "tools/engine/check_arguments.hpp"

#include "engines/check/limits.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::tools::engine {
namespace {

std::variant<engines::check::check_request, config::early_exit> parsed(
    std::vector<const char*> words) {
  words.insert(words.begin(), {"gamehub", "engine", "check"});
  return parse_check(static_cast<int>(words.size()), words.data());
}

engines::check::check_request asked(std::vector<const char*> words) {
  return std::get<engines::check::check_request>(parsed(std::move(words)));
}

std::string mistake(std::vector<const char*> words) {
  const auto message = std::get<config::early_exit>(parsed(std::move(words)));
  CHECK(message.exit_code == 2);
  return message.text;
}

TEST_CASE("engine check arguments: an engine is enough") {
  const auto plain = asked({"./x.so"});
  CHECK(plain.target == "./x.so");
  CHECK(plain.seed == 1);
  CHECK(plain.seeds == 100);
  CHECK(plain.perft == 0);
  CHECK_FALSE((plain.quick || plain.json || plain.playthrough || plain.reveals_midway));
}

TEST_CASE("engine check arguments: every flag is used") {
  const auto all = asked({"nim", "--seeds", "7", "--seed", "18446744073709551615", "--options",
                          "{\"heaps\":2}", "--players", "2", "--seconds", "1.5", "--playthrough",
                          "--perft", "4", "--json", "--reveals-midway"});
  CHECK(all.seeds == 7);
  CHECK(all.seed == UINT64_MAX);
  CHECK(all.options == "{\"heaps\":2}");
  CHECK(all.players == 2);
  CHECK(all.seconds == 1.5);
  CHECK(all.perft == 4);
  CHECK((all.playthrough && all.json && all.reveals_midway));
}

TEST_CASE("engine check arguments: a quick check is short, and allows what it can't decide") {
  const auto quick = asked({"nim", "--quick"});
  CHECK(quick.quick);
  CHECK(quick.seeds == engines::check::quick_seeds);
  CHECK(quick.seconds < 1);
  CHECK(quick.reveals_midway);
  CHECK(asked({"nim", "--quick", "--seeds", "3"}).seeds == 3);
}

TEST_CASE("engine check arguments: a mistake is one sentence") {
  CHECK(mistake({"nim", "--seeds", "0"}) ==
        "gamehub: --seeds is \"0\": give a number from 1 to 1000000.");
  CHECK(mistake({"nim", "--players", "63"}) ==
        "gamehub: --players is \"63\": give a number from 1 to 62.");
  CHECK(mistake({"nim", "--perft", "x"}) ==
        "gamehub: --perft is \"x\": give a number from 1 to 30.");
  CHECK(mistake({"nim", "--seconds", "-1"}).starts_with("gamehub: --seconds is \"-1\": "));
  CHECK(mistake({}).starts_with("gamehub: ENGINE is required"));
  CHECK(mistake({"nim", "chess"}).find("chess") != std::string::npos);
}

TEST_CASE("engine check arguments: help lists the flags") {
  const auto help = std::get<config::early_exit>(parsed({"--help"}));
  CHECK(help.exit_code == 0);
  for (const auto* word : {"ENGINE", "--seed", "--quick", "--perft", "Exit code"})
    CHECK(help.text.find(word) != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tools::engine
