#include "tools/bench/server_counters.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::tools::bench {
namespace {

constexpr std::string_view metrics =
    R"(# HELP gamehub_games_started_total Games that began, such as 9
# TYPE gamehub_games_started_total counter
gamehub_games_started_total{engine="connect_four"} 2
gamehub_games_started_total{engine="tictactoe"} 1.2e+01
gamehub_games_finished_total{engine="tictactoe",result="first",reason="rules"} 7
gamehub_games_finished_total{engine="tictactoe",result="draw",reason="rules"} 3
gamehub_games_running{engine="tictactoe"} 4
)";

TEST_CASE("server counters: adds up over all labels") {
  const auto l = read_counters(metrics);
  REQUIRE(l);
  CHECK(l->started == 14);
  CHECK(l->finished == 10);
  CHECK(l->running == 4);
  CHECK(l->balanced());
  CHECK_FALSE(server_counters{3, 1, 1}.balanced());
}

TEST_CASE("server counters: the text of another program has none") {
  CHECK_FALSE(read_counters(""));
  CHECK_FALSE(read_counters("HTTP/1.1 404 Not Found\r\n\r\n"));
}

}  // namespace
}  // namespace gamehub::tools::bench
