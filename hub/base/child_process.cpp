#include "hub/base/child_process.hpp"

#include "hub/base/child_entry.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gamehub::base {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error{error, std::generic_category(), what};
}

constexpr int above_childs = 10;

class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

  // Away from the numbers that a child's descriptors get, also if the hub was started without some.
  void move_up() {
    descriptor higher{fcntl(number_, F_DUPFD_CLOEXEC, above_childs)};
    if (higher.number_ < 0) fail(errno, "fcntl");
    *this = std::move(higher);
  }

 private:
  int number_;
};

struct two_ends {
  descriptor ours, childs;
};

two_ends make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe2");
  two_ends out{descriptor{ends[0]}, descriptor{ends[1]}};
  fcntl(out.ours.number(), F_SETFL, O_NONBLOCK);
  out.childs.move_up();
  return out;
}

two_ends make_channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    fail(errno, "socketpair");
  two_ends out{descriptor{ends[0]}, descriptor{ends[1]}};
  out.childs.move_up();
  return out;
}

// What a program needs to be found with its libraries, and the settings of sanitizers. The rest of
// the environment may have secrets.
constexpr const char* kept_variables[] = {"PATH",         "LD_LIBRARY_PATH", "ASAN_OPTIONS",
                                          "LSAN_OPTIONS", "TSAN_OPTIONS",    "UBSAN_OPTIONS"};

std::vector<std::string> environment() {
  std::vector<std::string> out;
  for (const auto* name : kept_variables)
    if (const char* const value = std::getenv(name))
      out.push_back(std::string{name}.append("=").append(value));
  return out;
}

// With a null at the end, as the system takes a list.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (auto& each : texts) out.push_back(each.data());
  out.push_back(nullptr);
  return out;
}

// What the system is told of a child before it starts.
class spawning {
 public:
  spawning() {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
  }
  ~spawning() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  spawning(const spawning&) = delete;
  spawning& operator=(const spawning&) = delete;

  pid_t start(const std::string& path, std::vector<std::string> args, const child_limits& limits,
              int output, int channel, int shared) {
    give(output, channel, shared);
    reset_signals();
    args.insert(args.begin(),
                {"gamehub", std::string{child_word}, in_one_word(limits, sandbox_in_use())});
    auto variables = environment();
    pid_t id = -1;
    if (const int error = posix_spawn(&id, path.c_str(), &files_, &attributes_,
                                      pointers_to(args).data(), pointers_to(variables).data()))
      fail(error, "posix_spawn");
    return id;
  }

 private:
  void give(int output, int channel, int shared) {
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files_, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&files_, channel, child_channel);
    if (shared >= 0) posix_spawn_file_actions_adddup2(&files_, shared, child_shared);
    // Not every library marks what it opens.
    posix_spawn_file_actions_addclosefrom_np(&files_,
                                             (shared >= 0 ? child_shared : child_channel) + 1);
  }

  // No signal blocked or ignored, and a new process group: an interrupt from a terminal is
  // for the hub, and what the child starts can be ended with it. And a new session, because the
  // kernel shares the processor between sessions (autogroup, sched(7)): the threads of a child,
  // however many, get together no more of it than the hub.
  void reset_signals() {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  }

  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

bool has_ended(pid_t id) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

// Ends what is left of the process and of what it started, and says how it ended itself. While it
// is not waited for, no other process gets its number.
child_end reap(pid_t id) {
  kill(-id, SIGKILL);
  int status = 0;
  pid_t found = 0;
  do found = waitpid(id, &status, 0);
  while (found < 0 && errno == EINTR);
  if (found > 0 && WIFSIGNALED(status))
    return child_end{child_end::way::signalled, WTERMSIG(status), {}};
  return child_end{child_end::way::exited, found > 0 ? WEXITSTATUS(status) : 0, {}};
}

// Takes what there is. False at the end.
bool read_some(int from, std::string& to) {
  std::array<char, 4096> bytes;
  for (;;) {
    const auto size = read(from, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    to.append(bytes.data(), std::min(static_cast<std::size_t>(size), child_output_max - to.size()));
  }
}

int left_until(steady_clock::time_point end) {
  const auto left = std::chrono::ceil<milliseconds>(end - steady_clock::now());
  return static_cast<int>(std::clamp<milliseconds::rep>(left.count(), 0, 1'000'000));
}

// Reads until the child ends; false if the time is over first.
bool listen_until_end(pid_t id, int output, steady_clock::time_point end, std::string& to) {
  // By its number: the header that has it by name is not for C++ in every version.
  const descriptor process{static_cast<int>(syscall(SYS_pidfd_open, id, 0))};
  if (process.number() < 0) fail(errno, "pidfd_open");
  std::array<pollfd, 2> wanted{pollfd{process.number(), POLLIN, 0}, pollfd{output, POLLIN, 0}};
  for (;;) {
    const int left = left_until(end);
    const int ready = poll(wanted.data(), wanted.size(), left);
    if (ready < 0 && errno != EINTR) fail(errno, "poll");
    if (ready > 0 && wanted[1].revents != 0 && !read_some(output, to)) wanted[1].fd = -1;
    if (ready > 0 && wanted[0].revents != 0) return true;
    if (left == 0) return false;
  }
}

}  // namespace

std::string in_words(const child_end& end) {
  switch (end.how) {
    case child_end::way::exited: return "exited with code " + std::to_string(end.code);
    case child_end::way::signalled:
      if (const auto* name = sigabbrev_np(end.code)) return "was ended by SIG" + std::string{name};
      return "was ended by signal " + std::to_string(end.code);
    case child_end::way::out_of_time: return "was given up: it took too long";
  }
  return "ended";
}

child_end run_program(const std::string& path, const std::vector<std::string>& args,
                      const child_limits& limits, milliseconds deadline, int shared) {
  const auto end = steady_clock::now() + deadline;
  child_process child{path, args, limits, shared};
  std::string output;
  const bool in_time = listen_until_end(child.id(), child.output(), end, output);
  auto out = child.kill();
  if (!in_time) out.how = child_end::way::out_of_time;
  read_some(child.output(), output);
  out.output = std::move(output);
  return out;
}

child_end run_self(const std::vector<std::string>& args, const child_limits& limits,
                   milliseconds deadline, int shared) {
  return run_program(this_program, args, limits, deadline, shared);
}

child_process::child_process(const std::string& path, const std::vector<std::string>& args,
                             const child_limits& limits, int shared) {
  auto output = make_pipe();
  auto channel = make_channel();
  // Not a number that is given to something else before.
  const descriptor other{shared < 0 ? -1 : fcntl(shared, F_DUPFD_CLOEXEC, above_childs)};
  if (shared >= 0 && other.number() < 0) fail(errno, "fcntl");
  id_ = spawning{}.start(path, args, limits, output.childs.number(), channel.childs.number(),
                         other.number());
  channel_ = channel.ours.release();
  output_ = output.ours.release();
}

child_process::~child_process() {
  kill();
  close(channel_);
  close(output_);
}

std::optional<child_end> child_process::ended() {
  if (!end_ && has_ended(id_)) end_ = reap(id_);
  return end_;
}

child_end child_process::kill() {
  if (!end_) end_ = reap(id_);
  return *end_;
}

}  // namespace gamehub::base
