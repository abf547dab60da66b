#include "tools/bench/arguments.hpp"

#include "tests/support/verb_line.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gamehub::tools::bench {
namespace {

const tests::verb_line<arguments> line{add_bench_verb};

arguments asked(tests::words words) {
  words.insert(words.begin(), "bench");
  return line.request(words);
}

std::string mistake(tests::words words) {
  words.insert(words.begin(), "bench");
  return line.mistake(words);
}

TEST_CASE("bench arguments: a wire alone is enough") {
  const auto a = asked({"opcodes"});
  CHECK(a.wire == &opcodes());
  CHECK(a.port == 8890);
  CHECK(a.plan.games == 64);
  CHECK(a.plan.connections == 128);
  CHECK(a.seconds.count() == 10);
  CHECK_FALSE(a.hostile);
  CHECK(asked({"turns"}).port == 8889);
}

TEST_CASE("bench arguments: every flag is used") {
  const auto a = asked({"turns", "--games",   "10",     "--connections",
                        "4",     "--seconds", "3",      "--warm-up",
                        "0",     "--host",    "::1",    "--port",
                        "99",    "--hostile", "drip",   "--hostile-clients",
                        "7",     "--pid",     "1",      "--admin-port",
                        "9464",  "--json",    "--quiet"});
  CHECK(a.plan.games == 10);
  CHECK(a.plan.connections == 4);
  CHECK(a.seconds.count() == 3);
  CHECK(a.warm_up.count() == 0);
  CHECK(a.host == "::1");
  CHECK(a.port == 99);
  CHECK(a.hostile == attack::drip);
  CHECK(a.hostile_clients == 7);
  CHECK(a.pid == 1);
  CHECK(a.admin_port == 9464);
  CHECK(a.json);
  CHECK(a.quiet);
  CHECK(asked({"opcodes", "--fresh"}).plan.fresh);
  CHECK(asked({"opcodes", "--idle"}).plan.idle);
}

TEST_CASE("bench arguments: a mistake is one sentence with the correction") {
  const std::vector<std::pair<tests::words, std::string>> cases{
      {{}, "gamehub: WIRE is missing: give opcodes, turns, ws, http or udp."},
      {{"tcp"}, "gamehub: WIRE is \"tcp\": give opcodes, turns, ws, http or udp."},
      {{"opcodes", "--games", "0"},
       "gamehub: --games is \"0\": give a whole number from 1 to 4000000."},
      {{"opcodes", "--seconds", "1s"},
       "gamehub: --seconds is \"1s\": give a whole number of seconds from 1 to 604800."},
      {{"opcodes", "--fresh", "--idle"},
       "gamehub: --fresh and --idle exclude each other: leave one out."},
      {{"opcodes", "--games", "4", "--connections", "9"},
       "gamehub: --connections is more than twice --games: give fewer, because each needs a "
       "player."},
      {{"opcodes", "--games", "4", "--connections", "4"},
       "gamehub: --connections is too few: opcodes carries at most 1 games per connection, give "
       "more."},
      {{"turns", "--games", "4", "--connections", "4", "--fresh"},
       "gamehub: --fresh needs a connection for each player: leave --connections out."},
      {{"turns", "--hostile", "rude"},
       "gamehub: --hostile is \"rude\": give deaf, garbage, pipeline or drip."},
      {{"turns", "--more-ports", "8889,x"},
       "gamehub: --more-ports is \"8889,x\": give port numbers."},
      {{"udp", "--more-ports", "8889"}, "gamehub: --more-ports is not for udp: leave it out."},
      {{"turns", "--across"},
       "gamehub: --across needs --more-ports: give the ports of other hubs."},
      {{"turns", "--hostile-clients", "2"},
       "gamehub: --hostile-clients needs --hostile with a kind: deaf, garbage, pipeline or drip."},
  };
  for (const auto& [words, message] : cases) CHECK(mistake(words) == message);
  CHECK(mistake({"opcodes", "--gamse", "3"}).find("--gamse") != std::string::npos);
}

TEST_CASE("bench arguments: help lists the flags") {
  CHECK(line.help({"bench", "--help"}).find("--connections") != std::string::npos);
}

TEST_CASE("bench arguments: messages have a rate, and connections that are opened again") {
  const auto a = asked({"opcodes", "--games", "10", "--fresh", "--rate", "100", "--redial"});
  CHECK(a.plan.rate == 100);
  CHECK(a.plan.redial);
  CHECK(asked({"turns"}).plan.rate == 0);
  CHECK_FALSE(asked({"turns"}).plan.redial);
}

TEST_CASE("bench arguments: players of messages think before they move, if asked to") {
  CHECK(asked({"ws", "--think", "36"}).plan.think == std::chrono::milliseconds{36});
  CHECK(asked({"ws"}).plan.think == std::chrono::milliseconds{0});
  CHECK(mistake({"udp", "--think", "5"}) == "gamehub: --think is not for udp: leave it out.");
  CHECK(mistake({"http", "--think", "5"}) == "gamehub: --think is not for http: leave it out.");
}

TEST_CASE("bench arguments: more hubs have a port each") {
  const auto a = asked({"turns", "--port", "7001", "--more-ports", "7002,7003", "--across"});
  CHECK(a.port == 7001);
  CHECK(a.more_ports == std::vector<std::uint16_t>{7002, 7003});
  CHECK(a.plan.across);
}

TEST_CASE("bench arguments: udp has a socket for each player, or one with many sources") {
  const auto a = asked({"udp", "--games", "100", "--idle"});
  CHECK(a.wire == nullptr);
  CHECK(a.wire_name() == "udp");
  CHECK(a.port == 13'037);
  CHECK(a.plan.connections == 100);
  CHECK(a.plan.idle);
  CHECK_FALSE(a.sources);
  const auto one = asked({"udp", "--games", "1000000", "--sources", "--rate", "20000"});
  CHECK(one.sources);
  CHECK(one.plan.connections == 1);
  CHECK(one.plan.games == 1'000'000);
  CHECK(one.plan.rate == 20'000);
  CHECK(mistake({"udp", "--fresh"}) == "gamehub: --fresh is not for udp: leave it out.");
  CHECK(mistake({"udp", "--connections", "2"}).find("--connections is not for udp") !=
        std::string::npos);
  CHECK(mistake({"udp", "--hostile", "deaf"}).find("--hostile is not for udp") !=
        std::string::npos);
  CHECK(mistake({"udp", "--hostile-clients", "2"}).find("not for udp") != std::string::npos);
  CHECK(mistake({"turns", "--sources"}) == "gamehub: --sources is not for turns: leave it out.");
}

TEST_CASE("bench arguments: http shares connections for requests, and may read streams") {
  const auto a =
      asked({"http", "--games", "5000", "--connections", "200", "--streams", "--rate", "2000"});
  CHECK(a.kind == load_kind::requests);
  CHECK(a.wire_name() == "http");
  CHECK(a.port == 8'080);
  CHECK(a.plan.connections == 200);
  CHECK(a.streams);
  CHECK(a.rate == 2'000);
  CHECK(asked({"http", "--games", "4"}).plan.connections == 8);
  CHECK(asked({"http", "--blind"}).blind);
  CHECK(mistake({"http", "--fresh"}) == "gamehub: --fresh is not for http: leave it out.");
  CHECK(mistake({"http", "--streams", "--blind"}).find("exclude each other") != std::string::npos);
  CHECK(mistake({"http", "--redial"}) == "gamehub: --redial is not for http: leave it out.");
  CHECK(mistake({"ws", "--hostile", "deaf"}) == "gamehub: --hostile is not for ws: leave it out.");
  CHECK(asked({"ws"}).port == 8'080);
}

}  // namespace
}  // namespace gamehub::tools::bench
