#include "hub/server/replay_trials.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::server {
namespace {

using namespace std::chrono_literals;
using actors::system::suspect;
using actors::system::trial_outcome;
using journal::record;

// The hostile engine, and what it is told to do.
class order {
 public:
  explicit order(const std::string& word) {
    folder_.put("hostile/hostile.so", "hostile.so");
    std::ofstream{folder_ / "orders"} << word;
  }
  std::string plugin() const { return folder_ / "hostile.so"; }

 private:
  tests::plugin_folder folder_;
};

// A game with one move, of which the replay finds that the states differ.
suspect game_of(const std::string& engine) {
  suspect out;
  out.header = {game_id{7}, engine, "1.0.0", {}, {}};
  for (int n = 1; n <= 4; ++n) {
    record r;
    r.number = static_cast<journal::record_number>(n);
    r.what = n == 1 ? record::kind::opened : n <= 3 ? record::kind::joined : record::kind::moved;
    r.seat = static_cast<std::int16_t>(n == 3 ? 1 : 0);
    out.records.push_back(r);
  }
  return out;
}

std::vector<trial_outcome> tried(const std::vector<std::string>& engines,
                                 std::chrono::milliseconds replay = 60s) {
  std::vector<suspect> games;
  for (const auto& each : engines) games.push_back(game_of(each));
  return try_replays({GAMEHUB_PROGRAM, {}, replay}, games,
                     [](const journal::game_header& h) { return h.engine; });
}

TEST_CASE("replay_trials: a game survives its trial, whatever the replay finds") {
  for (const auto& each : tried({"tictactoe", "tictactoe", "nim"}))
    CHECK(each.how == trial_outcome::way::survived);
}

TEST_CASE("replay_trials: a game that ends the process is named, and the next ones are tried") {
  const order now{"crash-in-create"};
  const auto all = tried({"tictactoe", now.plugin(), now.plugin(), "tictactoe"});
  CHECK(all[0].how == trial_outcome::way::survived);
  CHECK(all[1].how == trial_outcome::way::died);
  // A sanitizer reports the signal, and exits.
  INFO(all[1].why);
  CHECK((all[1].why == "was ended by SIGSEGV" || all[1].why == "exited with code 1"));
  CHECK(all[2].how == trial_outcome::way::died);
  CHECK(all[3].how == trial_outcome::way::survived);
}

TEST_CASE("replay_trials: a replay that does not end is ended") {
  const order now{"spin-in-create"};
  const auto all = tried({now.plugin()}, 300ms);
  CHECK(all[0].how == trial_outcome::way::died);
  CHECK(all[0].why == "did not end within 300 ms");
}

TEST_CASE("replay_trials: without its engine a game is not tried") {
  const auto all = tried({"no-such-engine", "/no/such/plugin.so"});
  CHECK(all[0].how == trial_outcome::way::not_tried);
  CHECK(all[1].how == trial_outcome::way::not_tried);
}

}  // namespace
}  // namespace gamehub::server
