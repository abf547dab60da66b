#include "hub/server/process_supervisor.hpp"

#include "engines/process/engine_files.hpp"
#include "engines/process/serve_engine.hpp"
#include "tests/support/catch.hpp"

#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>
#include <unistd.h>

namespace gamehub::server {
namespace {

using namespace std::chrono_literals;
namespace remote = engines::process;

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
  return engines::process::encode(r);
}

bool works(process_supervisor& k) {
  const auto said = remote::decode_reply(k.ask(k.life(), creating(1), {}));
  return said && said->state && said->state->to_move == engines::only(0);
}

TEST_CASE("process_supervisor: starts an engine, reads its description, and sends a request") {
  process_supervisor k{tictactoe()};
  CHECK(k.described().id == "tictactoe");
  CHECK(k.described().marks == "XO");
  CHECK(k.life() == 1);
  CHECK(works(k));
  CHECK(k.restarts() == 0);
}

TEST_CASE("process_supervisor: reports why an engine did not start") {
  auto s = tictactoe();
  s.engine = "nothing";
  CHECK_THROWS_WITH(process_supervisor{s},
                    "its process exited with code 1: there is no engine nothing");
  s.program = "/nowhere/gamehub";
  CHECK_THROWS_AS(process_supervisor{s}, engines::host::engine_failure);
}

TEST_CASE("process_supervisor: a killed process is restarted with a new life number") {
  listener heard;
  process_supervisor k{tictactoe()};
  k.at_end([&] { heard.hear(); });
  const auto first = k.life();
  ::kill(k.process_id(), SIGKILL);
  REQUIRE(heard.await(1));
  CHECK(k.start_process());
  CHECK(k.life() == first + 1);
  CHECK(works(k));
  CHECK(k.restarts() == 1);
  CHECK_THROWS_AS(k.ask(first, creating(1), {}), engines::host::engine_failure);
  CHECK(works(k));
}

TEST_CASE("process_supervisor: a process that does not answer in time is killed") {
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
  CHECK(k.start_process());
  ::kill(k.process_id(), SIGSTOP);
  const auto begin = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(k.ask(k.life(), creating(1), 100ms), engines::host::engine_failure);
  CHECK(std::chrono::steady_clock::now() - begin >= 120ms);
}

TEST_CASE(
    "process_supervisor: a process that used its memory and does not answer is said to have") {
  const auto bytes_of = [](const process_supervisor& k) {
    std::uint64_t pages = 0;
    std::ifstream{"/proc/" + std::to_string(k.process_id()) + "/statm"} >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  };
  auto s = tictactoe();
  s.call = 20ms;
  const auto bytes = bytes_of(process_supervisor{s});
  s.limits.memory_bytes = bytes + bytes / 20;
  process_supervisor k{s};
  ::kill(k.process_id(), SIGSTOP);
  CHECK_THROWS_WITH(k.ask(k.life(), creating(1), {}),
                    "the engine's process did not answer a call within 20 ms, and has used its "
                    "memory of " +
                        std::to_string(s.limits.memory_bytes / 1024 / 1024) + " MiB");
}

TEST_CASE("process_supervisor: a process with an invalid reply is killed, once") {
  listener heard;
  process_supervisor k{tictactoe()};
  k.at_end([&] { heard.hear(); });
  const auto first = k.life();
  k.end(first, "has a board of an impossible size");
  CHECK(k.life() == 0);
  k.end(first, "again");
  REQUIRE(heard.await(1));
  CHECK(k.start_process());
  k.end(first, "and again");
  CHECK(k.life() == first + 1);
  // A request that makes no sense ends it from the other side.
  CHECK_THROWS_AS(k.ask(k.life(), "nonsense", {}), engines::host::engine_failure);
  REQUIRE(heard.await(2));
}

// A program that describes itself as TicTacToe, and then runs this line of shell.
supervisor_settings in_shell(const std::string& line) {
  auto d = process_supervisor{tictactoe()}.described();
  const auto hello = remote::encode_hello(d);
  std::string octal;
  const auto append = [&](std::uint8_t byte) {
    octal += '\\';
    for (int shift = 6; shift >= 0; shift -= 3)
      octal += static_cast<char>('0' + (byte >> shift & 7));
  };
  for (int i = 0; i < 4; ++i) append(static_cast<std::uint8_t>(hello.size() >> (8 * i)));
  for (const char c : hello) append(static_cast<std::uint8_t>(c));
  auto s = tictactoe();
  s.engine = "tictactoe=sh -c 'printf \"" + octal + "\"; " + line + "'";
  s.limits.exec = true;
  s.limits.readable = remote::readable_files(s.engine);
  return s;
}

TEST_CASE("process_supervisor: a process that uses the processor between calls is ended") {
  auto s = in_shell("while :; do :; done");
  s.cpu_window = 200ms;
  listener heard;
  process_supervisor k{s};
  k.at_end([&] { heard.hear(); });
  CHECK(heard.await(2));
  CHECK(k.restarts() >= 1);
}

TEST_CASE("process_supervisor: a process that only answers is not ended, busy or idle") {
  auto s = tictactoe();
  s.cpu_window = 100ms;
  process_supervisor busy{s}, idle{s};
  std::uint64_t match = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < 5 * s.cpu_window)
    REQUIRE(remote::decode_reply(busy.ask(busy.life(), creating(++match), {})));
  CHECK(works(busy));
  CHECK(works(idle));
  CHECK(busy.life() == 1);
  CHECK(idle.life() == 1);
}

TEST_CASE("process_supervisor: a removed callback is not called") {
  listener heard;
  process_supervisor k{tictactoe()};
  k.at_end([&] { FAIL_CHECK("told"); });
  k.at_end({});
  k.end(k.life(), "is not wanted");
  CHECK(k.start_process());
}

}  // namespace
}  // namespace gamehub::server
