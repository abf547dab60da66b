#include "tools/udp_lab/verb.hpp"

#include "tests/support/verb_line.hpp"

#include <chrono>
#include <string>

namespace gamehub::tools::udp_lab {
namespace {

using namespace std::chrono_literals;

const tests::verb_line<request> line{add_udp_lab_verb};

request asked(tests::words words) {
  words.insert(words.begin(), "udp-lab");
  return line.request(words);
}

std::string mistake(tests::words words) {
  words.insert(words.begin(), "udp-lab");
  return line.mistake(words);
}

TEST_CASE("request: without flags it is a good network before the hub's usual port") {
  const auto r = asked({});
  CHECK(r.listen == place{"127.0.0.1", 13'038});
  CHECK(r.to == place{"127.0.0.1", 13'037});
  CHECK(r.faults.drop == 0);
  CHECK(r.faults.duplicate == 0);
  CHECK(r.faults.reorder == 0);
  CHECK_FALSE(r.seed);
}

TEST_CASE("request: every flag is used, and the last one applies") {
  const auto r = asked({"--listen", "[::]:0", "--to=hub.example:4000", "--drop", "0.5", "--drop=1",
                        "--duplicate", "0", "--reorder", ".25", "--delay-milliseconds", "0",
                        "--late-milliseconds", "60000", "--seed", "18446744073709551615"});
  CHECK(r.listen == place{"::", 0});
  CHECK(r.to == place{"hub.example", 4'000});
  CHECK(to_string(r.listen) == "[::]:0");
  CHECK(to_string(r.to) == "hub.example:4000");
  CHECK(r.faults.drop == 1);
  CHECK(r.faults.duplicate == 0);
  CHECK(r.faults.reorder == 0.25);
  CHECK(r.faults.delay == 0ms);
  CHECK(r.faults.late_max == 60s);
  CHECK(r.seed == 18'446'744'073'709'551'615u);
}

TEST_CASE("request: a mistake is one sentence with the correction") {
  for (const std::string bad : {"13037", "127.0.0.1", ":13037", "127.0.0.1:", "127.0.0.1:x",
                                "127.0.0.1:65536", "::1:13037", "[]:13037", "127.0.0.1:-1"}) {
    CHECK(mistake({"--listen=" + bad}).find("give HOST:PORT") != std::string::npos);
    CHECK(mistake({"--to=" + bad}).find("give HOST:PORT") != std::string::npos);
  }
  CHECK(mistake({"--to", "127.0.0.1:0"}).find("give HOST:PORT") != std::string::npos);
  for (const std::string flag : {"--drop", "--duplicate", "--reorder"})
    for (const std::string bad : {"-0.1", "1.1", "20%", "nan", "inf", "0,5", "0.5x"})
      CHECK(mistake({flag + "=" + bad}).find("give a share from 0 to 1") != std::string::npos);
  for (const std::string flag : {"--delay-milliseconds", "--late-milliseconds"})
    for (const std::string bad : {"-1", "60001", "1.5", "x"})
      CHECK(mistake({flag + "=" + bad}).find("from 0 to 60000") != std::string::npos);
  for (const std::string bad : {"-1", "18446744073709551616", "x"})
    CHECK(mistake({"--seed=" + bad}).find("--seed is") != std::string::npos);
  CHECK(mistake({"--to", "127.0.0.1:13038"}) ==
        "gamehub: --listen and --to are both 127.0.0.1:13038: the hub and the lab need different "
        "ports.");
  CHECK(mistake({"--lose", "1"}).find("\"--lose\" is not for gamehub udp-lab") !=
        std::string::npos);
  for (const std::string flag : {"--listen", "--to", "--drop", "--late-milliseconds", "--seed"})
    for (const std::string end : {"", "="})
      CHECK(mistake({flag + end}).find(flag) != std::string::npos);
}

TEST_CASE("request: help names every flag") {
  const auto help = line.help({"udp-lab", "--help"});
  for (const char* flag : {"--listen", "--to", "--drop", "--duplicate", "--reorder",
                           "--delay-milliseconds", "--late-milliseconds", "--seed"})
    CHECK(help.find(flag) != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tools::udp_lab
