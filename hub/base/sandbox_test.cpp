#include "hub/base/sandbox.hpp"

#include "hub/base/child_process.hpp"
#include "tests/plugins/escapes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <csignal>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace gamehub::base {
namespace {

using std::chrono::seconds;
using tests::sanitized;

const std::string subject = GAMEHUB_CHILD_SUBJECT;
constexpr uid_t other_account = 65534;

child_end run(const std::vector<std::string>& args, const child_limits& limits = {}) {
  return run_program(subject, args, limits, seconds{20});
}

// A hub of this account, whose child tries this.
child_end escape_from_hub(const std::string& what, uid_t account, sandbox_mode mode,
                          bool hidden = true) {
  child_limits limits;
  limits.processes = true;
  limits.sandbox = mode;
  return run({"hub", what, std::to_string(account), hidden ? "hidden" : "seen"}, limits);
}

// Those that this system can test: only uid 0 can take another account.
std::vector<uid_t> accounts() {
  if (geteuid() == 0) return {0, other_account};
  WARN("not run as uid 0: only for this account");
  return {geteuid()};
}

// What children here have.
sandbox_parts parts() { return parts_in(run({"parts"}).output); }

bool is_complete() {
  if (sanitized) return false;
  const auto missing = missing_in_words(parts(), false);
  if (!missing.empty()) WARN("this system lacks " << missing << ": not run");
  return missing.empty();
}

TEST_CASE("sandbox: no escape of an engine is possible, and each is without the sandbox") {
  if (!is_complete()) return;
  for (const auto account : accounts())
    for (const auto& each : tests::escapes) {
      CAPTURE(each.name, account);
      const auto tried = escape_from_hub(each.name, account, sandbox_mode::automatic);
      CHECK(in_words(tried) == "exited with code 0");
      const bool why = tried.output == "refused: Operation not permitted" ||
                       tried.output == "refused: Permission denied";
      CAPTURE(tried.output);
      CHECK(why);
      const auto free = escape_from_hub(each.name, account, sandbox_mode::off, false);
      CAPTURE(free.output, in_words(free));
      // A signal ends the hub.
      CHECK((free.output.starts_with("done") || free.code == SIGKILL));
    }
}

TEST_CASE("sandbox: a hub that is hidden keeps its memory from its account without a sandbox") {
  if (sanitized || geteuid() != 0) return;
  for (const auto* what : {"write-memory", "read-memory", "take-descriptor", "list-descriptors",
                           "read-environment", "slow-down-session"}) {
    CAPTURE(what);
    const auto tried = escape_from_hub(what, other_account, sandbox_mode::off);
    CAPTURE(tried.output);
    CHECK(tried.output.starts_with("refused: "));
  }
}

TEST_CASE("sandbox: a process reads the files that it may, and no other ones") {
  if (!is_complete()) return;
  child_limits limits;
  limits.readable = {"/usr", "/etc/passwd", "/no/such/file"};
  CHECK(run({"read", "/usr/bin"}, limits).output == "done");
  CHECK(run({"read", "/etc/passwd"}, limits).output == "done");
  CHECK(run({"read", "/etc/group"}, limits).output == "Permission denied");
  CHECK(run({"read", "/etc"}, limits).output == "Permission denied");
  CHECK(run({"read", "/dev/null"}).output == "done");
  CHECK(run({"read", "/etc/passwd"}).output == "Permission denied");
}

TEST_CASE("sandbox: a process executes programs that it may read, if it may execute any") {
  if (!is_complete()) return;
  child_limits limits;
  limits.readable = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache"};
  CHECK(run({"run", "/usr/bin/true"}, limits).output == "Operation not permitted");
  limits.exec = true;
  CHECK(run({"run", "/usr/bin/true"}, limits).output.empty());
  limits.readable = {"/lib", "/lib64"};
  CHECK(run({"run", "/usr/bin/true"}, limits).output == "Permission denied");
}

TEST_CASE("sandbox: a process has few variables, and no others") {
  setenv(tests::secret_variable, "x", 1);
  const auto variables = run({"environment"}).output;
  unsetenv(tests::secret_variable);
  CHECK(variables.find("PATH=") != variables.npos);
  CHECK(variables.find(tests::secret_variable) == variables.npos);
  CHECK(variables.find("HOME=") == variables.npos);
}

TEST_CASE("sandbox: threads are bounded where there are user namespaces, but for uid 0") {
  if (sanitized || !parts().user_namespace) return;
  for (const auto account : accounts()) {
    const auto count =
        std::stoi(escape_from_hub("threads", account, sandbox_mode::automatic).output);
    CAPTURE(account);
    CHECK((account == 0 ? count == 400 : count > 10 && count < sandbox_threads_max));
    CHECK(escape_from_hub("threads", account, sandbox_mode::off).output == "400");
  }
}

TEST_CASE("sandbox: what is missing is said in words") {
  CHECK(missing_in_words({true, true, true}, true).empty());
  CHECK(missing_in_words({true, true, false}, false).empty());
  CHECK(missing_in_words({true, true, false}, true) ==
        "user namespaces, so that an engine can start threads without a bound");
  CHECK(missing_in_words({}, false) ==
        "seccomp, so that an engine can use the network and reach other processes; Landlock, so "
        "that an engine can read what this account can read");
}

TEST_CASE("sandbox: its parts are a line, which is read back") {
  for (const sandbox_parts each :
       {sandbox_parts{}, {true, false, false}, {false, true, false}, {true, true, true}})
    CHECK(parts_in(line_of(each)) == each);
  CHECK(line_of({true, false, true}) == "seccomp=1 landlock=0 user_namespace=1");
  CHECK(parts_in("seccomp=1 landlock=1 user_namespace=1 more") == sandbox_parts{});
  CHECK(parts_in("") == sandbox_parts{});
}

TEST_CASE("sandbox: without one there are no parts") {
  child_limits limits;
  limits.sandbox = sandbox_mode::off;
  CHECK(run({"parts"}, limits).output == line_of({}));
}

}  // namespace
}  // namespace gamehub::base
