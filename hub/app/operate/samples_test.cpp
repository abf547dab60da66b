#include "hub/app/operate/samples.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::app {
namespace {

constexpr auto* told =
    "# HELP gamehub_games_running Games that began and have not ended.\n"
    "# TYPE gamehub_games_running gauge\n"
    "gamehub_games_running{engine=\"nim\"} 2\n"
    "gamehub_games_running{engine=\"othello\"} 3\n"
    "gamehub_moves_total{engine=\"nim\",gateway=\"turns\",outcome=\"accepted\"} 10\n"
    "gamehub_moves_total{engine=\"nim\",gateway=\"udp\",outcome=\"accepted\"} 5\n"
    "gamehub_moves_total{engine=\"nim\",gateway=\"udp\",outcome=\"refused\"} 1\n"
    "gamehub_ready 1\n"
    "gamehub_process_cpu_seconds_total 1.5e-02\n";

TEST_CASE("samples: are added up by name and labels") {
  const samples all{told};
  CHECK(all.sum("gamehub_ready") == 1);
  CHECK(all.sum("gamehub_games_running") == 5);
  CHECK(all.sum("gamehub_moves_total", {{"outcome", "accepted"}}) == 15);
  CHECK(all.sum("gamehub_moves_total", {{"outcome", "accepted"}, {"gateway", "udp"}}) == 5);
  CHECK(all.most("gamehub_games_running") == 3);
  CHECK(all.sum("gamehub_process_cpu_seconds_total") == 0.015);
}

TEST_CASE("samples: that are not there are not zero") {
  const samples all{told};
  CHECK_FALSE(all.sum("gamehub_nothing"));
  CHECK_FALSE(all.sum("gamehub_moves_total", {{"outcome", "lost"}}));
  CHECK_FALSE(all.sum("gamehub_ready", {{"outcome", "accepted"}}));
  CHECK_FALSE(all.most("gamehub_nothing"));
}

TEST_CASE("samples: name the values of a label") {
  const samples all{told};
  CHECK(all.values_of("gamehub_moves_total", "gateway") ==
        std::vector<std::string>{"turns", "udp"});
  CHECK(all.values_of("gamehub_moves_total", "nothing").empty());
  CHECK(all.values_of("gamehub_nothing", "gateway").empty());
}

TEST_CASE("samples: pass over what is no sample") {
  for (const auto* text : {"", "\n\n", "a", "a b", "{", "a{ 1", "a{b=\"c 1", "a{b} 1", " ", "a 1x",
                           "# a 1", "a{b=\"c\" 1\n"}) {
    INFO(text);
    const samples all{text};
    CHECK_FALSE(all.sum("b"));
    CHECK(all.values_of("a", "b").size() < 2);
  }
}

}  // namespace
}  // namespace gamehub::app
