/* Preloaded into the hub: getrandom() fails while the file that NO_ENTROPY names exists, so that an
 * exception leaves the actor that needs random numbers. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

__attribute__((visibility("default"))) ssize_t getrandom(void* out, size_t size, unsigned flags) {
  const char* file = getenv("NO_ENTROPY");
  if (file != NULL && access(file, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_getrandom, out, size, flags);
}
