#include "hub/server/engine_sandbox.hpp"

#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

namespace gamehub::server {
namespace {

TEST_CASE("engine_sandbox: engines run in processes if they are isolated, programs or plugins") {
  config::settings s;
  CHECK_FALSE(has_engine_processes(s));
  s.isolate = {"nim"};
  CHECK(has_engine_processes(s));
  s = {};
  s.programs = {"x=./x"};
  CHECK(has_engine_processes(s));
  s = {};
  s.plugins = "/plugins";
  CHECK(has_engine_processes(s));
}

TEST_CASE("engine_sandbox: a child process says what it has, in all modes of the program") {
  if (tests::sanitized) return;
  const auto has = find_sandbox_parts(GAMEHUB_PROGRAM);
  base::use_sandbox({base::sandbox_mode::off, {}});
  CHECK(find_sandbox_parts(GAMEHUB_PROGRAM) == has);
  base::use_sandbox({});
  // Every kernel that the hub is built for has it, unless a container refuses it.
  CHECK(has.call_filter);
}

TEST_CASE("engine_sandbox: without engines in processes, or switched off, nothing is found out") {
  config::settings s;
  s.sandbox.mode = base::sandbox_mode::required;
  CHECK_FALSE(check_sandbox(s).has_value());
  s.isolate = {"nim"};
  s.sandbox.mode = base::sandbox_mode::off;
  CHECK_FALSE(check_sandbox(s).has_value());
}

}  // namespace
}  // namespace gamehub::server
