#include "hub/base/child_process.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace gamehub::base {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::sanitized;
using way = child_end::way;

const std::string subject = GAMEHUB_CHILD_SUBJECT;
constexpr seconds patience{20};

child_end run(const std::vector<std::string>& args, const child_limits& limits = {}) {
  return run_program(subject, args, limits, patience);
}

// Waits until there is no such process.
bool goes(pid_t id) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, id, 0));
  if (process < 0) return errno == ESRCH;
  pollfd ended{process, POLLIN, 0};
  const bool gone = poll(&ended, 1, static_cast<int>(milliseconds{patience}.count())) == 1;
  close(process);
  return gone;
}

TEST_CASE("child: what it said and how it ended is told") {
  const auto end = run({"exit", "a b", ""});
  CHECK(end.how == way::exited);
  CHECK(end.code == 3);
  CHECK(end.output == "a b\n\n");
  CHECK(in_words(end) == "exited with code 3");
}

TEST_CASE("child: one that crashes is told by its signal") {
  const auto end = run({"abort"});
  CHECK(end.how == way::signalled);
  CHECK(end.code == SIGABRT);
  CHECK(in_words(end) == "was ended by SIGABRT");
  if (!sanitized) CHECK(in_words(run({"crash"})) == "was ended by SIGSEGV");
}

TEST_CASE("child: one that never ends is given up at the deadline") {
  for (const auto* what : {"wait", "spin"}) {
    const auto end = run_program(subject, {what}, {}, milliseconds{50});
    CHECK(end.how == way::out_of_time);
    CHECK(in_words(end) == "was given up: it took too long");
  }
}

TEST_CASE("child: much output is read to its end and kept up to a bound") {
  const auto end = run({"talk"});
  CHECK(end.how == way::exited);
  CHECK(end.code == 0);
  CHECK(end.output.size() == child_output_max);
  CHECK(end.output.starts_with("01234567890123456789"));
}

TEST_CASE("child: one that closes everything is still waited for") {
  const auto end = run({"close"});
  CHECK(end.how == way::exited);
  CHECK(end.code == 5);
}

TEST_CASE("child: its bounds hold") {
  SECTION("processor time") {
    const auto end = run({"spin"}, {.memory_bytes = 0, .cpu = seconds{1}});
    CHECK(end.how == way::signalled);
    CHECK(end.code == SIGXCPU);
  }
  SECTION("files") {
    // Four are open already: three standard ones and the channel.
    const auto end = run({"files"}, {.memory_bytes = 0, .cpu = seconds{0}, .files_max = 20});
    CHECK(end.output == "16 files\n");
  }
  SECTION("memory") {
    if (sanitized) return;
    const auto end = run({"memory"}, {.memory_bytes = 256 << 20});
    CHECK(end.code == 0);
    const auto mib = std::stoi(end.output.substr(std::string{"no more memory after "}.size()));
    CHECK(mib > 100);
    CHECK(mib < 256);
  }
  SECTION("memory of a program, whose runtime may reserve more addresses") {
    if (sanitized) return;
    const child_limits program{.memory_bytes = 256 << 20, .exec = true};
    CHECK(run({"reserve", "1024"}, {.memory_bytes = 256 << 20}).output == "Cannot allocate memory");
    CHECK(run({"reserve", "1024"}, program).output == "done");
    CHECK(run({"reserve", "4096"}, program).output == "Cannot allocate memory");
    const auto mib = std::stoi(
        run({"memory"}, program).output.substr(std::string{"no more memory after "}.size()));
    CHECK(mib > 100);
    CHECK(mib < 256);
  }
}

TEST_CASE("child: it has its own session, between which the kernel shares the processor") {
  CHECK(run({"session"}).output == "leads one, leads a group");
}

TEST_CASE("child: it starts no process and signals none unless it may") {
  if (sanitized) return;
  for (const auto* what : {"fork", "system", "kill"}) {
    INFO(what);
    CHECK(run({what}).output == "Operation not permitted");
    CHECK(run({what}, {.memory_bytes = 0, .cpu = seconds{0}, .files_max = 64, .processes = true})
              .output == "done");
  }
}

TEST_CASE("child: it gets none of its parent's descriptors") {
  // Such as many a library opens.
  std::array<int, 2> open{};
  REQUIRE(pipe(open.data()) == 0);
  CHECK(run({"list"}).output == "0 1 2 3 ");
  for (const auto each : open) close(each);
}

TEST_CASE("child: what it leaves behind is ended with it") {
  const auto end = run({"leave-one"},
                       {.memory_bytes = 0, .cpu = seconds{0}, .files_max = 64, .processes = true});
  REQUIRE(end.how == way::exited);
  CHECK(goes(std::stoi(end.output)));
}

TEST_CASE("child: it goes when its parent is killed") {
  child_process parent{subject,
                       {"parent"},
                       {.memory_bytes = 0, .cpu = seconds{0}, .files_max = 64, .processes = true}};
  std::string said;
  while (said.find('\n') == said.npos) {
    pollfd readable{parent.output(), POLLIN, 0};
    REQUIRE(poll(&readable, 1, static_cast<int>(milliseconds{patience}.count())) == 1);
    std::array<char, 64> bytes{};
    const auto size = read(parent.output(), bytes.data(), bytes.size());
    REQUIRE(size > 0);
    said.append(bytes.data(), static_cast<std::size_t>(size));
  }
  const auto grandchild = std::stoi(said);
  CHECK(::kill(grandchild, 0) == 0);
  // Not through kill(), which would end the whole group; the grandchild has its own group.
  ::kill(parent.id(), SIGKILL);
  CHECK(goes(grandchild));
}

TEST_CASE("child: one that stays is talked to over its channel") {
  child_process child{subject, {"echo"}, {}};
  CHECK(!child.ended());
  REQUIRE(write(child.channel(), "hello", 5) == 5);
  std::array<char, 5> bytes{};
  REQUIRE(read(child.channel(), bytes.data(), bytes.size()) == 5);
  CHECK(std::string(bytes.data(), 5) == "hello");
  CHECK(in_words(child.kill()) == "was ended by SIGKILL");
  // It was waited for: the channel is at its end, and there is no child.
  CHECK(read(child.channel(), bytes.data(), bytes.size()) == 0);
  CHECK(waitpid(child.id(), nullptr, WNOHANG) == -1);
  CHECK(child.ended().has_value());
}

TEST_CASE("child: one that went by itself is said to have done so") {
  child_process child{subject, {"exit"}, {}};
  REQUIRE(goes(child.id()));
  CHECK(in_words(child.kill()) == "exited with code 3");
}

TEST_CASE("child: a program that is not there can't be started") {
  CHECK_THROWS_AS(run_program("/nowhere/gamehub", {}, {}, patience), std::system_error);
}

TEST_CASE("child: one without sense or a parent starts nothing") {
  for (const auto* bounds : {"", "nonsense", "1,2,3", "4000000,0,0,64,0", "4000000,0,0,64,0,1"}) {
    INFO(bounds);
    const auto line = subject + " as-child '" + bounds + "' wait 2>/dev/null";
    CHECK(WEXITSTATUS(std::system(line.c_str())) == 1);
  }
}

}  // namespace
}  // namespace gamehub::base
