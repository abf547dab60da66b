#include "hub/app/isolation/keeper.hpp"

#include <condition_variable>
#include <csignal>

#include "hub/app/isolation/serve_engine.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::app::process {
namespace {

using namespace std::chrono_literals;
namespace remote = engines::remote;

// Counts the lives that ended.
class listener {
 public:
  void hear() {
    const std::lock_guard lock{mutex_};
    ++ends_;
    heard_.notify_all();
  }
  bool await(int ends) {
    std::unique_lock lock{mutex_};
    return heard_.wait_for(lock, 20s, [&] { return ends_ >= ends; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable heard_;
  int ends_ = 0;
};

supervisor_settings tictactoe() {
  supervisor_settings s;
  s.program = GAMEHUB_PROGRAM;
  s.engine = "tictactoe";
  s.call = 10s;
  return s;
}

std::string creating(std::uint64_t match) {
  remote::request r;
  r.what = remote::request::kind::create;
  r.match = match;
  return encoded(r);
}

bool works(process_supervisor& k) {
  const auto said = remote::decode_reply(k.ask(k.life(), creating(1), {}));
  return said && said->state && said->state->to_move == engines::only(0);
}

TEST_CASE("keeper: starts an engine that says what it is, and asks it") {
  process_supervisor k{tictactoe()};
  CHECK(k.described().id == "tictactoe");
  CHECK(k.described().marks == "XO");
  CHECK(k.life() == 1);
  CHECK(works(k));
  CHECK(k.restarts() == 0);
}

TEST_CASE("keeper: says why there is no engine") {
  auto s = tictactoe();
  s.engine = "nothing";
  CHECK_THROWS_WITH(process_supervisor{s}, "its process exited with code 1: there is no engine nothing");
  s.program = "/nowhere/gamehub";
  CHECK_THROWS_AS(process_supervisor{s}, engines::engine_failure);
}

TEST_CASE("keeper: a process that is killed is started anew, in another life") {
  listener heard;
  process_supervisor k{tictactoe()};
  k.at_end([&] { heard.hear(); });
  const auto first = k.life();
  ::kill(k.process_id(), SIGKILL);
  REQUIRE(heard.await(1));
  CHECK(k.bring_up());
  CHECK(k.life() == first + 1);
  CHECK(works(k));
  CHECK(k.restarts() == 1);
  CHECK_THROWS_AS(k.ask(first, creating(1), {}), engines::engine_failure);
  CHECK(works(k));
}

TEST_CASE("keeper: a process that does not answer in time is ended") {
  auto s = tictactoe();
  s.call = 20ms;
  listener heard;
  process_supervisor k{s};
  k.at_end([&] { heard.hear(); });
  const auto first = k.life();
  ::kill(k.process_id(), SIGSTOP);
  CHECK_THROWS_WITH(k.ask(first, creating(1), {}),
                    "the engine's process did not answer a call within 20 ms");
  CHECK(k.life() != first);
  REQUIRE(heard.await(1));
  // Time to think comes on top.
  CHECK(k.bring_up());
  ::kill(k.process_id(), SIGSTOP);
  const auto begin = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(k.ask(k.life(), creating(1), 100ms), engines::engine_failure);
  CHECK(std::chrono::steady_clock::now() - begin >= 120ms);
}

TEST_CASE("keeper: a process that makes no sense is ended, once") {
  listener heard;
  process_supervisor k{tictactoe()};
  k.at_end([&] { heard.hear(); });
  const auto first = k.life();
  k.end(first, "has a board of an impossible size");
  CHECK(k.life() == 0);
  k.end(first, "again");
  REQUIRE(heard.await(1));
  CHECK(k.bring_up());
  k.end(first, "and again");
  CHECK(k.life() == first + 1);
  // A request that makes no sense ends it from the other side.
  CHECK_THROWS_AS(k.ask(k.life(), "nonsense", {}), engines::engine_failure);
  REQUIRE(heard.await(2));
}

TEST_CASE("keeper: nobody is told who does not want to be any more") {
  listener heard;
  process_supervisor k{tictactoe()};
  k.at_end([&] { FAIL_CHECK("told"); });
  k.at_end({});
  k.end(k.life(), "is not wanted");
  CHECK(k.bring_up());
}

}  // namespace
}  // namespace gamehub::app::isolation
