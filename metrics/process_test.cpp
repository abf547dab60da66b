#include "metrics/process.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::metrics {
namespace {

TEST_CASE("process: reads the memory from the kernel's words") {
  CHECK(resident_bytes("Name:\tx\nVmHWM:\t 9 kB\nVmRSS:\t  2048 kB\n") == 2'097'152);
  CHECK(resident_bytes("VmRSS: 1 kB") == 1'024);
  CHECK_FALSE(resident_bytes("Name:\tVmRSS: 3\n"));
  CHECK_FALSE(resident_bytes(""));
}

TEST_CASE("process: reads the soft limit of open files") {
  CHECK(open_files_limit("Limit  Soft  Hard  Units\nMax open files   1024   4096   files\n") ==
        1'024);
  CHECK_FALSE(open_files_limit("Max open files   unlimited   unlimited   files\n"));
}

TEST_CASE("process: finds the start time after a program name that looks like fields") {
  const auto* stat = "7 (a) 1 (b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 250 20 21 22\n";
  CHECK(start_seconds(stat, "cpu 1 2\nbtime 1000\n") == 1002.5);
  CHECK_FALSE(start_seconds("7 (a) S 1", "btime 1000\n"));
  CHECK_FALSE(start_seconds(stat, "cpu 1 2\n"));
}

TEST_CASE("process: reads this process") {
  const auto usage = usage_of_this_process();
  CHECK(usage.cpu_seconds >= 0);
  CHECK(usage.resident_bytes.value_or(0) > 100'000);
  CHECK(usage.open_fds.value_or(0) >= 3);
  CHECK(usage.start_seconds.value_or(0) > 1.6e9);
}

}  // namespace
}  // namespace gamehub::metrics
