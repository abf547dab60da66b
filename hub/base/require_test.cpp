#include "hub/base/require.hpp"

#include "tests/support/catch.hpp"

#include <array>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace {

// Runs the check in a child process and returns its wait status and what it wrote to standard
// error.
std::pair<int, std::string> check_in_child(bool condition) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const auto child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // Catch's handler would report the abort as a failure of this test.
    std::signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    GAMEHUB_REQUIRE(condition);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 256> part{};
  for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {status, text};
}

}  // namespace

TEST_CASE("require: a condition that holds has no effect") {
  const auto [status, text] = check_in_child(true);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(text.empty());
}

TEST_CASE("require: a condition that does not hold is reported and aborts the process") {
  const auto [status, text] = check_in_child(false);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
  CHECK(text.find("requirement failed: condition (") != std::string::npos);
  CHECK(text.find("(check_in_child, line ") != std::string::npos);
}
