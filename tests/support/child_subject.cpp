// A child process for child_process_test: it does what its first argument says, and prints what
// came of it.
#include "hub/base/child_entry.hpp"
#include "hub/base/child_process.hpp"
#include "hub/base/sandbox.hpp"
#include "tests/plugins/escapes.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using gamehub::base::child_limits;
using gamehub::base::child_process;

constexpr const char* hundred =
    "01234567890123456789012345678901234567890123456789"
    "01234567890123456789012345678901234567890123456789";

std::string outcome(bool done) { return done ? "done" : std::strerror(errno); }

int fill_memory() {
  std::vector<std::unique_ptr<char[]>> kept;
  try {
    for (;;) kept.push_back(std::make_unique<char[]>(1 << 20));
  } catch (const std::bad_alloc&) {
    std::cerr << "no more memory after " << kept.size() << " MiB\n";
  }
  return 0;
}

int open_files() {
  std::vector<int> all;
  for (int each = open("/dev/null", O_RDONLY); each >= 0; each = open("/dev/null", O_RDONLY))
    all.push_back(each);
  std::cerr << all.size() << " files\n";
  // The leak checker wants some at the end.
  for (const int each : all) close(each);
  return 0;
}

int list_files() {
  for (int i = 0; i < 100; ++i)
    if (fcntl(i, F_GETFD) >= 0) std::cerr << i << ' ';
  return 0;
}

// Leaves a process behind that never ends.
int leave_one() {
  const auto id = fork();
  if (id == 0)
    for (;;) pause();
  std::cerr << id << std::flush;
  return 0;
}

int parent_of_one() {
  const child_process child{gamehub::base::this_program, {"wait"}, {}};
  std::cerr << child.id() << std::endl;
  for (;;) pause();
}

int echo() {
  std::array<char, 64> bytes{};
  for (ssize_t size = 0;
       (size = read(gamehub::base::child_channel, bytes.data(), bytes.size())) > 0;)
    if (write(gamehub::base::child_channel, bytes.data(), static_cast<std::size_t>(size)) != size)
      return 1;
  return 0;
}

[[noreturn]] void spin() {
  volatile bool on = true;
  while (on) continue;
  std::abort();
}

// The memory and the descriptors that an escape is after.
volatile int memory_of_hub = 17;

// A hub of this account, whose child tries to get out. Prints how that ended, and what of the hub
// has changed.
int hub_of(const std::string& escape, uid_t account, bool hidden) {
  if (setgid(account) != 0 || setuid(account) != 0) return 1;
  setenv(gamehub::tests::secret_variable, "x", 1);
  // The kernel hides a process that has changed its account.
  prctl(PR_SET_DUMPABLE, 1);
  if (hidden) gamehub::base::hide_from_other_processes();
  rlimit before{}, after{};
  getrlimit(RLIMIT_NOFILE, &before);
  std::vector<std::string> words{"escape", escape};
  if (escape == "threads") words = {escape};
  const auto end = gamehub::base::run_self(words, {.memory_bytes = std::uint64_t{4} << 30U},
                                           std::chrono::seconds{20});
  getrlimit(RLIMIT_NOFILE, &after);
  std::cerr << end.output;
  if (end.code != 0) std::cerr << ' ' << in_words(end);
  if (memory_of_hub != 17 || before.rlim_cur != after.rlim_cur || before.rlim_max != after.rlim_max)
    std::cerr << " the hub was changed";
  return 0;
}

// Starts threads until that fails, at most `most`.
int start_threads(int most) {
  std::vector<std::thread> all;
  std::promise<void> over;
  const auto end = over.get_future().share();
  try {
    while (static_cast<int>(all.size()) < most) all.emplace_back([end] { end.wait(); });
  } catch (const std::system_error&) {
  }
  std::cerr << all.size();
  over.set_value();
  for (auto& each : all) each.join();
  return 0;
}

int act(std::string_view what) {
  if (what == "exit") return 3;
  if (what == "crash") std::raise(SIGSEGV);
  if (what == "abort") std::abort();
  if (what == "wait")
    for (;;) pause();
  if (what == "spin") spin();
  if (what == "close") {
    for (int i = 0; i < 100; ++i) close(i);
    return 5;
  }
  if (what == "talk")
    for (int i = 0; i < 10'000; ++i) std::fputs(hundred, i % 2 == 0 ? stdout : stderr);
  if (what == "memory") return fill_memory();
  if (what == "files") return open_files();
  if (what == "list") return list_files();
  if (what == "leave-one") return leave_one();
  if (what == "parent") return parent_of_one();
  if (what == "echo") return echo();
  if (what == "fork") {
    const auto id = fork();
    if (id == 0) _exit(0);
    std::cerr << outcome(id > 0);
  }
  if (what == "system") std::cerr << outcome(std::system("true") == 0);
  if (what == "parts") std::cerr << gamehub::base::line_of(gamehub::base::entered_sandbox());
  if (what == "threads") return start_threads(400);
  if (what == "environment")
    for (char** each = environ; *each != nullptr; ++each) std::cerr << *each << '\n';
  if (what == "session")
    std::cerr << (getsid(0) == getpid() ? "leads one" : "in one") << ", "
              << (getpgrp() == getpid() ? "leads a group" : "in a group");
  if (what == "kill") std::cerr << outcome(kill(getppid(), SIGCONT) == 0);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  gamehub::base::enter_child(argc, argv);
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "escape" && argc == 3) {
    std::cerr << gamehub::tests::try_escape(argv[2], getppid());
    return 0;
  }
  if (first == "hub" && argc == 5)
    return hub_of(argv[2], static_cast<uid_t>(std::stoul(argv[3])),
                  std::string_view{argv[4]} == "hidden");
  if (first == "read" && argc == 3) {
    std::cerr << outcome(gamehub::tests::opens(argv[2], O_RDONLY));
    return 0;
  }
  if (first == "reserve" && argc == 3) {
    const auto bytes = std::stoul(argv[2]) << 20U;
    std::cerr << outcome(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                         MAP_FAILED);
    return 0;
  }
  if (first == "run" && argc == 3) {
    execl(argv[2], argv[2], nullptr);
    std::cerr << outcome(false);
    return 0;
  }
  for (int i = 2; i < argc; ++i) std::cerr << argv[i] << '\n';
  return act(argc > 1 ? argv[1] : "");
}
