#include "hub/base/call_filter.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace gamehub::base {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#endif

constexpr pid_t self = 4711, other = 4712;

using arguments = std::array<std::uint64_t, 6>;

// Runs a filter as the kernel does, with the instructions that ours has.
std::uint32_t verdict(const std::vector<sock_filter>& code, const seccomp_data& call) {
  std::uint32_t word = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const auto& each = code[at];
    const bool equal = each.code == (BPF_JMP | BPF_JEQ | BPF_K);
    const bool greater = each.code == (BPF_JMP | BPF_JGT | BPF_K);
    if (equal || greater) {
      at += (equal ? word == each.k : word > each.k) ? each.jt : each.jf;
    } else if (each.code == (BPF_LD | BPF_W | BPF_ABS)) {
      REQUIRE(each.k + sizeof word <= sizeof call);
      std::memcpy(&word, reinterpret_cast<const char*>(&call) + each.k, sizeof word);
    } else if (each.code == (BPF_ALU | BPF_AND | BPF_K)) {
      word &= each.k;
    } else {
      REQUIRE(each.code == (BPF_RET | BPF_K));
      return each.k;
    }
  }
  FAIL("the filter has no end");
  return 0;
}

// 0: allowed; else the error.
std::uint32_t error_of(const call_filter_settings& s, long call, const arguments& with = {},
                       std::uint32_t arch = machine) {
  seccomp_data data{};
  data.nr = static_cast<int>(call);
  data.arch = arch;
  std::copy(with.begin(), with.end(), data.args);
  const auto what = verdict(call_filter(s), data);
  if (what == SECCOMP_RET_ALLOW) return 0;
  REQUIRE((what & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO);
  return what & SECCOMP_RET_DATA;
}

std::uint32_t error_of(long call, const arguments& with = {}) {
  return error_of({.self = self}, call, with);
}

TEST_CASE("call_filter: an engine computes, waits, reads and writes what is open") {
  for (const auto call :
       {SYS_read, SYS_write, SYS_openat, SYS_mmap, SYS_brk, SYS_futex, SYS_exit_group, SYS_recvfrom,
        SYS_sendto, SYS_clock_gettime, SYS_getrandom, SYS_rt_sigreturn, SYS_getpid, SYS_close})
    CHECK(error_of(call) == 0);
}

TEST_CASE("call_filter: what is not on the list is refused, and what is newer does not exist") {
  for (const auto call : {SYS_socket,
                          SYS_connect,
                          SYS_bind,
                          SYS_ptrace,
                          SYS_process_vm_readv,
                          SYS_process_vm_writev,
                          SYS_process_madvise,
                          SYS_pidfd_open,
                          SYS_pidfd_getfd,
                          SYS_pidfd_send_signal,
                          SYS_tkill,
                          SYS_rt_sigqueueinfo,
                          SYS_memfd_create,
                          SYS_memfd_secret,
                          SYS_shmget,
                          SYS_msgget,
                          SYS_mq_open,
                          SYS_io_uring_setup,
                          SYS_bpf,
                          SYS_userfaultfd,
                          SYS_perf_event_open,
                          SYS_keyctl,
                          SYS_add_key,
                          SYS_mount,
                          SYS_unshare,
                          SYS_setns,
                          SYS_chroot,
                          SYS_kcmp,
                          SYS_fchmod,
                          SYS_fchmodat,
                          SYS_fchownat,
                          SYS_unlinkat,
                          SYS_renameat2,
                          SYS_mkdirat,
                          SYS_symlinkat,
                          SYS_linkat,
                          SYS_truncate,
                          SYS_ftruncate,
                          SYS_fallocate,
                          SYS_utimensat,
                          SYS_setxattr,
                          SYS_setuid,
                          SYS_setresuid,
                          SYS_setgroups,
                          SYS_capset,
                          SYS_setsid,
                          SYS_setpgid,
                          SYS_sync,
                          SYS_syslog,
                          SYS_reboot,
                          SYS_init_module,
                          SYS_vmsplice,
                          SYS_setsockopt,
                          SYS_open_by_handle_at,
                          SYS_ioprio_set,
                          SYS_migrate_pages,
                          SYS_personality}) {
    CAPTURE(call);
    CHECK(error_of(call) == EPERM);
  }
  CHECK(error_of(SYS_clone3) == ENOSYS);
  CHECK(error_of(SYS_openat2) == ENOSYS);
  CHECK(error_of(500) == ENOSYS);
}

TEST_CASE("call_filter: programs may be executed only if that is allowed") {
  for (const auto call : {SYS_execve, SYS_execveat}) {
    CHECK(error_of({.self = self}, call) == EPERM);
    CHECK(error_of({.self = self, .exec = true}, call) == 0);
  }
}

TEST_CASE("call_filter: a program that is bound by its private memory maps no other") {
  const call_filter_settings program{.self = self, .exec = true};
  const auto map = [](int flags) {
    return arguments{0, 4096, 3, static_cast<std::uint64_t>(flags), 0, 0};
  };
  for (const int flags : {MAP_PRIVATE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE})
    CHECK(error_of(program, SYS_mmap, map(flags)) == 0);
  constexpr int droppable = 8;
  for (const int flags : {MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED, MAP_SHARED_VALIDATE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, droppable}) {
    CHECK(error_of(program, SYS_mmap, map(flags)) == EPERM);
    CHECK(error_of(SYS_mmap, map(flags)) == 0);
  }
}

TEST_CASE("call_filter: there are threads, and no processes or namespaces") {
  constexpr std::uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
  CHECK(error_of(SYS_clone, {thread}) == 0);
  CHECK(error_of(SYS_clone, {SIGCHLD}) == EPERM);
  CHECK(error_of(SYS_clone, {CLONE_VM | CLONE_VFORK | SIGCHLD}) == EPERM);
  CHECK(error_of(SYS_clone, {thread | CLONE_NEWUSER}) == EPERM);
#if defined(__x86_64__)
  CHECK(error_of(SYS_fork) == EPERM);
  CHECK(error_of(SYS_vfork) == EPERM);
#endif
}

TEST_CASE("call_filter: signals, limits and priorities are for the process itself") {
  for (const auto call : {SYS_kill, SYS_tgkill, SYS_rt_tgsigqueueinfo}) {
    CHECK(error_of(call, {self}) == 0);
    CHECK(error_of(call, {other}) == EPERM);
    CHECK(error_of(call, {0}) == EPERM);
    // All processes, and a group of them.
    CHECK(error_of(call, {static_cast<std::uint64_t>(-1)}) == EPERM);
    CHECK(error_of(call, {static_cast<std::uint32_t>(-self)}) == EPERM);
  }
  for (const auto call :
       {SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setparam, SYS_sched_setscheduler}) {
    CHECK(error_of(call, {0}) == 0);
    CHECK(error_of(call, {self}) == 0);
    CHECK(error_of(call, {other}) == EPERM);
  }
  CHECK(error_of(SYS_setpriority, {PRIO_PROCESS, 0}) == 0);
  CHECK(error_of(SYS_setpriority, {PRIO_PROCESS, other}) == EPERM);
  CHECK(error_of(SYS_setpriority, {PRIO_USER, 0}) == EPERM);
}

TEST_CASE("call_filter: no descriptor sends signals or grows, and no socket leads out") {
  for (const auto command : {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC})
    CHECK(error_of(SYS_fcntl, {3, static_cast<std::uint64_t>(command)}) == 0);
  constexpr int set_own = 8, set_signal = 10, set_own_ex = 15, set_lease = 1024, notify = 1026,
                set_pipe_size = 1031, add_seals = 1033;
  for (const auto command :
       {set_own, set_signal, set_own_ex, set_lease, notify, set_pipe_size, add_seals})
    CHECK(error_of(SYS_fcntl, {3, static_cast<std::uint64_t>(command)}) == EPERM);
  CHECK(error_of(SYS_ioctl, {3, FIONREAD}) == 0);
  for (const auto command : {FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSTI})
    CHECK(error_of(SYS_ioctl, {3, static_cast<std::uint64_t>(command)}) == EPERM);
  CHECK(error_of(SYS_socketpair, {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC}) == 0);
  CHECK(error_of(SYS_socketpair, {AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC}) == EPERM);
  CHECK(error_of(SYS_socketpair, {AF_INET, SOCK_STREAM}) == EPERM);
  constexpr int peer_descriptor = 77;
  CHECK(error_of(SYS_getsockopt, {0, SOL_SOCKET, SO_TYPE}) == 0);
  CHECK(error_of(SYS_getsockopt, {0, SOL_SOCKET, peer_descriptor}) == EPERM);
  CHECK(error_of(SYS_prctl, {PR_SET_NAME}) == 0);
  for (const auto what : {PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_PTRACER, PR_SET_MM})
    CHECK(error_of(SYS_prctl, {static_cast<std::uint64_t>(what)}) == EPERM);
}

TEST_CASE("call_filter: without Landlock files are only opened for reading") {
  const call_filter_settings without{.self = self, .read_only = true};
  CHECK(error_of(without, SYS_openat, {0, 0, O_RDONLY | O_CLOEXEC}) == 0);
  for (const auto flags : {O_WRONLY, O_RDWR, O_RDONLY | O_CREAT, O_RDONLY | O_TRUNC, O_TMPFILE}) {
    CHECK(error_of(without, SYS_openat, {0, 0, static_cast<std::uint64_t>(flags | O_WRONLY)}) ==
          EPERM);
    CHECK(error_of(SYS_openat, {0, 0, static_cast<std::uint64_t>(flags)}) == 0);
  }
  CHECK(error_of(without, SYS_openat, {0, 0, O_RDONLY | O_TRUNC}) == EPERM);
}

TEST_CASE("call_filter: calls of other machines are refused") {
  CHECK(error_of({.self = self}, SYS_read, {}, machine + 1) == EPERM);
#if defined(__x86_64__)
  constexpr long x32 = 0x4000'0000;
  CHECK(error_of(x32) == EPERM);
  CHECK(error_of(x32 + SYS_read) == EPERM);
#endif
}

TEST_CASE("call_filter: has a size that the kernel takes") {
  CHECK(call_filter({.self = self, .exec = true, .read_only = true}).size() < BPF_MAXINSNS);
}

}  // namespace
}  // namespace gamehub::base
