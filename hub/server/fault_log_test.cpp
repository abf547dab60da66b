#include "hub/server/fault_log.hpp"

#include "tests/support/catch.hpp"

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

}  // namespace
}  // namespace gamehub::server
