// Many games at once. How many a hub can carry is measured by tests/bench; here it is looked at
// that none goes wrong.
#include "tests/system/load.hpp"

#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

namespace gamehub::tests::system {
namespace {

TEST_CASE("load: 500 games at once over both wires go on without a single error") {
  constexpr int games = sanitized ? 100 : 500;
  hub at;
  load_report seen;
  {
    load crowd{at.turns(), at.opcodes(), games, 20'261};
    at.await_count("gamehub_games_running", {{"engine", "tictactoe"}}, games);
    seen = crowd.play(std::chrono::seconds{3});
    INFO("first: " << seen.first_error);
    CHECK(seen.errors == 0);
    CHECK(seen.games_ended > 2 * games);
    CHECK(at.count("gamehub_refusals_total") == 0);
    CHECK(at.count("gamehub_protocol_errors_total") == 0);
    at.await_count("gamehub_connections", {}, 2 * games);
  }
  // All hung up at once in the middle of their games.
  at.await_count("gamehub_games_running", {}, 0);
  const auto told = at.metrics();
  CHECK(told.sum("gamehub_games_started_total") == told.sum("gamehub_games_finished_total"));
  CHECK(told.sum("gamehub_games_finished_total", {{"reason", "rules"}}) >=
        static_cast<double>(seen.games_ended / 2));
  CHECK(told.sum("gamehub_moves_total", {{"outcome", "refused"}}) == 0);
  CHECK(told.sum("gamehub_connections_closed_total", {{"reason", "slow-reader"}}) == 0);
  check_others_play(at);
}

}  // namespace
}  // namespace gamehub::tests::system
