/* Preloaded into the hub: its wall clock is 40 days ahead while the file that CLOCK_JUMP names
 * exists. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t which, struct timespec* out) {
  const long failed = syscall(SYS_clock_gettime, which, out);
  const char* file = which == CLOCK_REALTIME ? getenv("CLOCK_JUMP") : NULL;
  if (failed == 0 && file != NULL && access(file, F_OK) == 0) out->tv_sec += 40L * 24 * 60 * 60;
  return (int)failed;
}
