// gamehub udp-lab as people use it: between a client and a hub, and what it says.
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/udp_lab_process.hpp"
#include "tests/system/udp_socket.hpp"

#include <algorithm>
#include <csignal>
#include <regex>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

TEST_CASE("udp lab: a client plays through it, and it tells what became of the datagrams") {
  hub at;
  udp_lab_process lab{at.udp()};
  udp_socket client{lab.port()};
  CHECK(client.ask('A', 'A'));
  CHECK(client.ask('4', '4'));
  CHECK(client.ask('Q', 'S'));
  CHECK(client.ask('S', 'Q'));
  at.await_count("gamehub_games_finished_total", {{"reason", "left"}}, 1);
  const auto said = lab.end();
  CAPTURE(said);
  CHECK(std::regex_match(said, std::regex{"tally clients=1 taken=\\d+ dropped=0 doubled=0 "
                                          "reordered=0 given=\\d+ refused=0\n"}));
}

TEST_CASE("udp lab: on a network that loses everything no datagram arrives") {
  hub at;
  udp_lab_process lab{at.udp(), {"--drop", "1", "--seed", "7"}};
  CHECK(lab.seed() == "7");
  udp_socket client{lab.port()};
  for (int i = 0; i < 5; ++i) client.send("A");
  // Another lab shows that the hub would have answered.
  udp_lab_process good{at.udp()};
  udp_socket other{good.port()};
  CHECK(other.ask('A', 'A'));
  CHECK_FALSE(client.next_now());
  CHECK(lab.end(SIGINT).find(" given=0 ") != std::string::npos);
  CHECK(other.ask('Q', 'S'));
}

TEST_CASE("udp lab: mistakes are answered by a sentence and the exit code 2") {
  const auto judged = [](std::vector<std::string> words) {
    words.insert(words.begin(), {tools_program(), "udp-lab"});
    const auto said = run({words, {}});
    CHECK(said.exit_code == 2);
    CHECK(said.output == "");
    CHECK(said.errors.starts_with("gamehub: "));
    CHECK(std::count(said.errors.begin(), said.errors.end(), '\n') == 1);
    return said.errors;
  };
  CHECK(judged({"--drop", "2"}).find("give a share") != std::string::npos);
  CHECK(judged({"--to", "host.invalid:1"}).find("has no address") != std::string::npos);
  udp_lab_process lab{1};
  CHECK(judged({"--listen", "127.0.0.1:" + std::to_string(lab.port())})
            .find("can't be listened on") != std::string::npos);
  const auto help = run({{tools_program(), "udp-lab", "--help"}, {}});
  CHECK(help.exit_code == 0);
  CHECK(help.output.find("--reorder") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::system
