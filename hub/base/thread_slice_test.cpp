#include "hub/base/thread_slice.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace gamehub {
namespace {

bool kernel_has_slices() {
  utsname of{};
  int major = 0, minor = 0;
  if (::uname(&of) != 0 || std::sscanf(of.release, "%d.%d", &major, &minor) != 2) return false;
  return major > 6 || (major == 6 && minor >= 12);
}

// The words of sched_attr: the policy is in word 0, the nice value in word 2, the slice is word 3.
std::array<std::uint64_t, 7> attributes_of_thread() {
  std::array<std::uint64_t, 7> out{};
  REQUIRE(::syscall(SYS_sched_getattr, 0, out.data(), sizeof out, 0U) == 0);
  return out;
}

TEST_CASE("thread_slice: a thread gets a short slice, and nothing else of it changes") {
  std::array<std::uint64_t, 7> before{}, after{};
  std::thread{[&] {
    before = attributes_of_thread();
    base::use_short_slice();
    after = attributes_of_thread();
  }}.join();
  if (kernel_has_slices()) {
    constexpr std::chrono::nanoseconds wanted = base::short_slice;
    CHECK(after[3] == static_cast<std::uint64_t>(wanted.count()));
    CHECK(before[3] != after[3]);
  }
  before[3] = after[3];
  CHECK(before == after);
}

TEST_CASE("thread_slice: a thread that runs behind others is nicer than they, alone") {
  int before = 0, after = 0;
  std::thread{[&] {
    before = ::getpriority(PRIO_PROCESS, 0);
    base::run_behind_others();
    after = ::getpriority(PRIO_PROCESS, 0);
  }}.join();
  CHECK(after == std::max(before, 10));
  CHECK(::getpriority(PRIO_PROCESS, 0) == before);
}

}  // namespace
}  // namespace gamehub
