// The sandbox of engines (engines/README.md) by the real program: what a hub says of it at its
// start, as other accounts and on kernels that lack a part of it.
#include "tests/plugins/escapes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/system/hostile.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/weaker_start.hpp"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace gamehub::tests::system {
namespace {

run_result checked(const std::string& program, const std::vector<std::string>& flags) {
  std::vector<std::string> words{program, "serve", "--check", "--journal", "memory"};
  words.insert(words.end(), flags.begin(), flags.end());
  return run({words, {}});
}

// Plays a game in which the engine tries this, and returns how that ended.
std::string tried(hub& at, const orders& to, const std::string& what) {
  match m{at, "hostile"};
  m.begin();
  to.give(what);
  m.move_x(0, 0), m.hear_x_moved();
  to.take_back();
  m.leave();
  const auto begin = "output of an isolated engine engine=hostile line=\"" + what + ": ";
  std::string out;
  at.await("logs how it ended", [&] {
    const auto log = at.process().errors();
    const auto from = log.find(begin);
    if (from == log.npos) return false;
    out = log.substr(from + begin.size(), log.find('"', from + begin.size()) - from - begin.size());
    return true;
  });
  at.await_count("gamehub_sessions", {}, 0);
  return out;
}

// The hub logs twenty lines of an engine in ten seconds.
const std::vector<std::string> attempts{
    "signal-by-owner", "write-memory", "take-descriptor",  "limit-files", "fill-memory-file",
    "trace",           "use-network",  "read-environment", "write-files", "signal"};

void check_refused(const std::string& what, const std::string& how) {
  INFO(what << ": " << how);
  CHECK(how.starts_with("refused: "));
}

std::vector<std::string> isolating(const orders& to, const std::vector<std::string>& more) {
  std::vector<std::string> flags{
      "--plugins", to.folder(), "--isolate", "hostile", "--isolate-call-milliseconds", "500"};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

void check_refuses(const weaker_start& start, const std::vector<std::string>& more = {}) {
  const orders to;
  hub at{isolating(to, more), {{secret_variable, "x"}}, start.program()};
  for (const auto& each : attempts) check_refused(each, tried(at, to, each));
  CHECK(at.count("gamehub_engine_restarts_total") == 0);
}

TEST_CASE("sandbox: the hub says at its start what there is of it, if engines run in processes") {
  if (sanitized) return;
  {
    hub at{{"--isolate", "nim"}};
    CHECK(at.process().errors().find(promised("engines run in a sandbox") + " seccomp=true") !=
          std::string::npos);
  }
  for (const auto& flags : {std::vector<std::string>{}, {"--isolate", "nim", "--sandbox", "off"}}) {
    hub at{flags};
    CHECK(at.process().errors().find("sandbox") == std::string::npos);
  }
}

TEST_CASE("sandbox: a hub of another account refuses all escapes of its engines") {
  if (sanitized) return;
  if (geteuid() != 0) {
    WARN("only uid 0 can take another account: not run");
    return;
  }
  const weaker_start start{"account=65534"};
  if (start.works()) check_refuses(start, {"--sandbox", "required"});
}

// Waits until the process has ended.
bool goes(pid_t id) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, id, 0));
  if (process < 0) return errno == ESRCH;
  pollfd ended{process, POLLIN, 0};
  const bool gone = poll(&ended, 1, deadline{}.poll_milliseconds()) == 1;
  close(process);
  return gone;
}

TEST_CASE("sandbox: a hub of another account ends its engines, and they end with it") {
  if (sanitized || geteuid() != 0) return;
  const weaker_start start{"account=65534"};
  if (!start.works()) return;
  const orders to;
  hub at{isolating(to, {}), {}, start.program()};
  CHECK(at.count("gamehub_process_open_fds") > 0);
  match m{at, "hostile"};
  m.begin();
  to.give("spin-in-apply");
  m.move_x(0, 0);
  m.hear_end();
  to.take_back();
  at.await_count("gamehub_engine_restarts_total", {{"engine", "hostile"}}, 1);
  const auto engines = at.process().children();
  REQUIRE(engines.size() == 1);
  at.process().signal(SIGKILL);
  at.wait();
  CHECK(goes(engines.front()));
}

TEST_CASE("sandbox: without namespaces or Landlock the rest refuses these escapes, too") {
  if (sanitized) return;
  for (const auto* what : {"namespaces", "landlock"}) {
    CAPTURE(what);
    const weaker_start start{what};
    if (start.works()) check_refuses(start);
  }
}

TEST_CASE("sandbox: what the kernel lacks is said, and a hub that requires it does not start") {
  if (sanitized) return;
  struct lack {
    std::string what, words;
    bool refused;
  };
  const lack table[] = {
      {"landlock", "Landlock, so that an engine can read what this account can read", true},
      {"seccomp", "seccomp, so that an engine can use the network and reach other processes", true},
      {"namespaces", "user namespaces, so that an engine can start threads without a bound", false},
  };
  for (const auto& each : table) {
    CAPTURE(each.what);
    const weaker_start start{each.what};
    if (!start.works()) continue;
    const std::vector<std::string> required{"--isolate", "nim", "--sandbox", "required"};
    const auto refused = checked(start.program(), required);
    CAPTURE(refused.errors);
    CHECK(refused.exit_code == (each.refused ? 2 : 0));
    if (each.refused)
      CHECK(refused.errors == "gamehub: --sandbox is required, and this system lacks " +
                                  each.words +
                                  ": let the machine or container have it, or give auto.\n");
    hub at{{"--isolate", "nim"}, {}, start.program()};
    CHECK(at.process().errors().find("missing=\"" + each.words + '"') != std::string::npos);
  }
}

TEST_CASE("sandbox: an engine reads files of --sandbox-read, and no others") {
  if (sanitized) return;
  const temporary_folder folder;
  const auto secret = folder.write("book", "text\n");
  const auto command = "x=sh -c 'while read word; do echo $word >&2; done < " + secret + "'";
  const auto why = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{hub_program(), "engines", "--engine", command};
    words.insert(words.end(), more.begin(), more.end());
    return run({words, {}}).output;
  };
  CHECK(why({}).find("Permission denied; the sandbox lets an engine read only its folders and the "
                     "paths of --sandbox-read") != std::string::npos);
  CHECK(
      why({"--sandbox-read", "/no/such/file," + folder.path()}).find("exited with code 0: text") !=
      std::string::npos);
  CHECK(why({"--sandbox", "off"}).find("exited with code 0: text") != std::string::npos);
  // Its author checks it in the same way.
  const auto check =
      run({{tools_program(), "engine", "check", command, "--sandbox-read", folder.path()}, {}});
  CHECK(check.errors.find("exited with code 0: text") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::system
