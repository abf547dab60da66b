#include "hub/server/fault_log.hpp"

#include "tests/support/catch.hpp"

#include <chrono>
#include <cstdint>

namespace gamehub::server {
namespace {

TEST_CASE("fault_log: has lost no actor until one is lost, and calls once") {
  fault_log log;
  int lost = 0;
  log.at_loss([&] { ++lost; });
  log.on_fault("session", "a test");
  log.on_engine_fault({"nim", "1.0.0", game_id{1}, "apply", "a test"});
  CHECK_FALSE(log.loss());
  CHECK(lost == 0);
  log.on_essential_actor_lost("lobby");
  log.on_essential_actor_lost("gateway of http");
  CHECK(lost == 1);
  CHECK(log.loss() == "the lobby has ended by a fault; the hub restarts");
}

TEST_CASE("fault_log: a lost gateway is a loss as well") {
  fault_log log;
  int lost = 0;
  log.at_loss([&] { ++lost; });
  log.on_essential_actor_lost("gateway of http");
  CHECK(lost == 1);
  CHECK(log.loss() == "the gateway of http has ended by a fault; the hub restarts");
}

TEST_CASE("fault_log: an engine fault is logged once, of a flood ten a second (H1)") {
  fault_log log;
  const auto fault = [](std::uint64_t game) {
    return engine_fault{"nim", "1.0.0", game_id{game}, "apply", "a test"};
  };
  const base::instant start{std::chrono::hours{1}};
  for (std::uint64_t game = 1; game <= 100; ++game) CHECK(log.admit(fault(game), start) == 0u);
  CHECK_FALSE(log.admit(fault(1), start));
  for (std::uint64_t game = 101; game <= 1'000; ++game) CHECK_FALSE(log.admit(fault(game), start));
  int lines = 0;
  for (std::uint64_t game = 2'000; game < 3'000; ++game)
    if (log.admit(fault(game), start + std::chrono::seconds{1})) ++lines;
  CHECK(lines == 10);
  CHECK(log.admit(fault(4'000), start + std::chrono::hours{1}) == 990u);
  CHECK_FALSE(log.admit(fault(4'000), start + std::chrono::hours{2}));
}

}  // namespace
}  // namespace gamehub::server
