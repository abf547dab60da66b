#include "hub/server/isolated_engines.hpp"

#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace gamehub::server {
namespace {

using namespace std::chrono_literals;
using engines::host::engine;

// A hub's engines, of which TicTacToe has two processes.
struct two_processes {
  std::string text() const {
    const auto now = all.numbers().front();
    return std::to_string(all.processes()) + (now.up ? " up " : " down ") +
           std::to_string(now.restarts);
  }
  void check_stops(std::chrono::steady_clock::time_point now, bool old) {
    all.stop_unused(now, [&](const engine&) { return old; });
  }

  isolated_engines all{{"tictactoe"}, {}, 2, 10s, {}, GAMEHUB_PROGRAM};
  const engine rules = all.among(engines::host::registry::built_in()).find("tictactoe").value();
};

TEST_CASE("isolated_engines: an engine has as many hosts as processes") {
  isolated_engines some{{"nim", "othello"}, {"a=./a", "b=./b"}, 3, 1s, {}};
  CHECK(some.hosts(false) == 12);
  CHECK(some.hosts(true) == 15);
  const two_processes it;
  CHECK(it.text() == "2 up 0");
  REQUIRE(it.rules.host()->processes().size() == 2);
  CHECK(it.rules.in_process(0).host()->number() == 0);
  CHECK(it.rules.in_process(1).host()->number() == 1);
}

TEST_CASE("isolated_engines: an old version without matches gives its places back") {
  two_processes it;
  it.all.at_end([](const std::string&, const auto&) { FAIL_CHECK("a process ended"); });
  auto now = std::chrono::steady_clock::now();
  it.check_stops(now, true);
  now += limits::engine_unused_max - 1s;
  it.check_stops(now, true);
  CHECK(it.text() == "2 up 0");
  {
    const auto match = it.rules.create({});
    REQUIRE(std::holds_alternative<engines::host::match>(match));
    now += 1s;
    it.check_stops(now, false);
    CHECK(it.text() == "2 up 0");
    it.check_stops(now, true);
    CHECK(it.rules.host()->up());
    CHECK_FALSE(it.rules.in_process(1).host()->up());
    CHECK(it.text() == "1 up 0");
  }
  now += limits::engine_unused_max;
  it.check_stops(now, true);
  CHECK(it.text() == "0 up 0");
  CHECK_FALSE(it.rules.up());

  // For the replay of a game, or for one that is taken over.
  std::mutex guard;
  std::condition_variable told;
  bool woken = false;
  it.rules.host()->wake([&] {
    const std::lock_guard lock{guard};
    woken = true;
    told.notify_all();
  });
  std::unique_lock lock{guard};
  REQUIRE(told.wait_for(lock, 20s, [&] { return woken; }));
  CHECK(it.rules.host()->up());
  CHECK(it.rules.in_process(1).host()->bring_up());
  CHECK(it.text() == "2 up 0");
  CHECK(std::holds_alternative<engines::host::match>(it.rules.create({})));
}

TEST_CASE("isolated_engines: places are bounded") {
  process_places places{2};
  CHECK(places.take());
  CHECK(places.take());
  CHECK_FALSE(places.take());
  places.give_back();
  CHECK(places.take());
}

}  // namespace
}  // namespace gamehub::server
