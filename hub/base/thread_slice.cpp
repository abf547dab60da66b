#include "hub/base/thread_slice.hpp"

#include <cstdint>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gamehub::base {

namespace {

// sched_attr of sched_setattr(2), which older C libraries do not declare.
struct thread_attributes {
  std::uint32_t size = 0, policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0, deadline = 0, period = 0;  // nanoseconds
  std::uint32_t utilization_min = 0, utilization_max = 0;
};
static_assert(sizeof(thread_attributes) == 56);

}  // namespace

void use_short_slice() {
  thread_attributes mine;
  if (::syscall(SYS_sched_getattr, 0, &mine, sizeof mine, 0U) != 0 || mine.policy != SCHED_OTHER)
    return;
  mine.runtime = static_cast<std::uint64_t>(std::chrono::nanoseconds{short_slice}.count());
  ::syscall(SYS_sched_setattr, 0, &mine, 0U);
}

// On Linux a nice value belongs to a thread; 0 is the calling one.
void run_behind_others() { ::setpriority(PRIO_PROCESS, 0, 10); }

}  // namespace gamehub::base
