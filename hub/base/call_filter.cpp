#include "hub/base/call_filter.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <utility>

namespace gamehub::base {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0;
#endif

constexpr std::uint32_t whole = 0xFFFF'FFFF;

// Holds if the argument, reduced to these bits, is one of the values. Only its lower half is read:
// the kernel ignores the upper half of all arguments that have a condition here.
struct condition {
  unsigned argument = 0;
  std::uint32_t bits = whole;
  std::vector<std::uint32_t> values;
};

// Allows a call if all conditions hold.
struct rule {
  long call = 0;
  std::vector<condition> all = {};
};

// The calls of newer kernels, which have the same number on all machines. The C headers may be
// older.
constexpr long map_shadow_stack = 453, futex_wake = 454, futex_wait = 455, futex_requeue = 456,
               memory_seal = 462;
// A later call does not exist for the process, so that programs use an older one.
constexpr long last_known = 470;

// Memory, threads, time and the process itself.
constexpr long own_calls[] = {
    SYS_brk,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_mincore,
    SYS_msync,
    SYS_mlock,
    SYS_mlock2,
    SYS_munlock,
    SYS_pkey_alloc,
    SYS_pkey_free,
    SYS_pkey_mprotect,
    SYS_membarrier,
    SYS_get_mempolicy,
    map_shadow_stack,
    memory_seal,
    SYS_futex,
    SYS_futex_waitv,
    futex_wake,
    futex_wait,
    futex_requeue,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_set_tid_address,
    SYS_restart_syscall,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_getattr,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_rr_get_interval,
    SYS_getpriority,
    SYS_getcpu,
    SYS_exit,
    SYS_exit_group,
    SYS_wait4,
    SYS_waitid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend,
    SYS_sigaltstack,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_times,
    SYS_getitimer,
    SYS_setitimer,
    SYS_timer_create,
    SYS_timer_delete,
    SYS_timer_getoverrun,
    SYS_timer_gettime,
    SYS_timer_settime,
    SYS_timerfd_create,
    SYS_timerfd_gettime,
    SYS_timerfd_settime,
    SYS_getrusage,
    SYS_getrlimit,
    SYS_setrlimit,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrandom,
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_getpgid,
    SYS_getsid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getgroups,
    SYS_capget,
    SYS_umask,
};

// Open descriptors, and reading files: Landlock decides which ones.
constexpr long file_calls[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_preadv,
    SYS_pwritev,
    SYS_preadv2,
    SYS_pwritev2,
    SYS_lseek,
    SYS_close,
    SYS_close_range,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_eventfd2,
    SYS_signalfd4,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_ppoll,
    SYS_pselect6,
    SYS_sendfile,
    SYS_splice,
    SYS_tee,
    SYS_copy_file_range,
    SYS_flock,
    SYS_fsync,
    SYS_fdatasync,
    SYS_fadvise64,
    SYS_readahead,
    SYS_newfstatat,
    SYS_fstat,
    SYS_statx,
    SYS_statfs,
    SYS_fstatfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_chdir,
    SYS_fchdir,
    SYS_getxattr,
    SYS_lgetxattr,
    SYS_fgetxattr,
    // On the channel to the hub.
    SYS_sendto,
    SYS_recvfrom,
    SYS_sendmsg,
    SYS_recvmsg,
    SYS_shutdown,
    SYS_getsockname,
    SYS_getpeername,
};

#if defined(__x86_64__)
// What other machines have in one form only.
constexpr long older_calls[] = {
    SYS_arch_prctl, SYS_time,     SYS_alarm,        SYS_pause,      SYS_getpgrp,  SYS_stat,
    SYS_lstat,      SYS_access,   SYS_poll,         SYS_select,     SYS_dup2,     SYS_pipe,
    SYS_eventfd,    SYS_signalfd, SYS_epoll_create, SYS_epoll_wait, SYS_readlink, SYS_getdents,
};
#endif

// What other processes, or descriptors, could be reached by.
std::vector<rule> conditional_calls(const call_filter_settings& s) {
  const auto self = static_cast<std::uint32_t>(s.self);
  constexpr std::uint32_t namespaces = CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS |
                                       CLONE_NEWPID | CLONE_NEWUSER | CLONE_NEWUTS;
  constexpr std::uint32_t socket_kind = 0xF;
  return {
      // Threads, and no processes.
      {SYS_clone, {{0, CLONE_THREAD | namespaces, {CLONE_THREAD}}}},
      // abort() signals its thread that way.
      {SYS_kill, {{0, whole, {self}}}},
      {SYS_tgkill, {{0, whole, {self}}}},
      {SYS_rt_tgsigqueueinfo, {{0, whole, {self}}}},
      {SYS_prlimit64, {{0, whole, {0, self}}}},
      {SYS_setpriority, {{0, whole, {PRIO_PROCESS}}, {1, whole, {0, self}}}},
      {SYS_sched_setaffinity, {{0, whole, {0, self}}}},
      {SYS_sched_setparam, {{0, whole, {0, self}}}},
      {SYS_sched_setscheduler, {{0, whole, {0, self}}}},
      // Nothing that sends signals, or enlarges a pipe.
      {SYS_fcntl,
       {{1,
         whole,
         {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
          F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_GETPIPE_SZ}}}},
      {SYS_ioctl, {{1, whole, {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX}}}},
      {SYS_prctl,
       {{0,
         whole,
         {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS,
          PR_GET_SECCOMP, PR_CAPBSET_READ, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_VMA,
          PR_SET_THP_DISABLE, PR_GET_THP_DISABLE}}}},
      // Two ends within the process. One for datagrams could send to other sockets.
      {SYS_socketpair, {{0, whole, {AF_UNIX}}, {1, socket_kind, {SOCK_STREAM}}}},
      {SYS_getsockopt,
       {{1, whole, {SOL_SOCKET}},
        {2, whole, {SO_TYPE, SO_ERROR, SO_DOMAIN, SO_PROTOCOL, SO_SNDBUF, SO_RCVBUF}}}},
  };
}

void add_opening(const call_filter_settings& s, std::vector<rule>& to) {
  constexpr std::uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC;
  const auto flags_in = [&](unsigned argument) {
    return s.read_only ? std::vector<condition>{{argument, writing, {O_RDONLY}}}
                       : std::vector<condition>{};
  };
  to.push_back({SYS_openat, flags_in(2)});
#if defined(__x86_64__)
  to.push_back({SYS_open, flags_in(1)});
#endif
}

// The bound of a program's memory (RLIMIT_DATA) counts neither shared memory nor that of a stack.
rule mapping(const call_filter_settings& s) {
  if (!s.exec) return {SYS_mmap};
  return {SYS_mmap, {{3, MAP_TYPE | MAP_GROWSDOWN, {MAP_PRIVATE}}}};
}

std::vector<rule> rules_of(const call_filter_settings& s) {
  std::vector<rule> out;
  for (const auto call : file_calls) out.push_back({call});
  for (const auto call : own_calls) out.push_back({call});
#if defined(__x86_64__)
  for (const auto call : older_calls) out.push_back({call});
#endif
  for (auto& each : conditional_calls(s)) out.push_back(std::move(each));
  add_opening(s, out);
  out.push_back(mapping(s));
  if (s.exec)
    for (const auto call : {SYS_execve, SYS_execveat}) out.push_back({call});
  return out;
}

// Instructions load a word of the call, jump over some of the next ones, or say what becomes of it.
class program {
 public:
  void load(std::size_t where) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(where)); }
  void keep_bits(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
  void skip_if(std::uint32_t value, std::size_t count) { jump(BPF_JEQ, value, count, 0); }
  void skip_unless(std::uint32_t value, std::size_t count) { jump(BPF_JEQ, value, 0, count); }
  void skip_unless_above(std::uint32_t value, std::size_t count) { jump(BPF_JGT, value, 0, count); }
  void allow() { add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
  void refuse(int error) {
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }
  void append(const program& other) {
    code_.insert(code_.end(), other.code_.begin(), other.code_.end());
  }
  std::size_t size() const { return code_.size(); }
  std::vector<sock_filter> take() { return std::move(code_); }

 private:
  void add(int what, std::uint32_t value) {
    code_.push_back(BPF_STMT(static_cast<std::uint16_t>(what), value));
  }
  void jump(int how, std::uint32_t value, std::size_t then, std::size_t otherwise) {
    code_.push_back(BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | how | BPF_K), value,
                             static_cast<std::uint8_t>(then),
                             static_cast<std::uint8_t>(otherwise)));
  }

  std::vector<sock_filter> code_;
};

// The lower half of an argument, on machines of this byte order.
std::size_t place_of(unsigned argument) {
  return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
}

// Runs if the number of the call is that of the rule, and always ends the program.
program verdict(const rule& of) {
  program out;
  for (const auto& each : of.all) {
    out.load(place_of(each.argument));
    if (each.bits != whole) out.keep_bits(each.bits);
    auto left = each.values.size();
    for (const auto value : each.values) out.skip_if(value, left--);
    out.refuse(EPERM);
  }
  out.allow();
  return out;
}

}  // namespace

std::vector<sock_filter> call_filter(const call_filter_settings& s) {
  if (machine == 0) return {};
  program out;
  out.load(offsetof(seccomp_data, arch));
  out.skip_if(machine, 1);
  out.refuse(EPERM);
  out.load(offsetof(seccomp_data, nr));
  for (const auto& each : rules_of(s)) {
    const auto then = verdict(each);
    out.skip_unless(static_cast<std::uint32_t>(each.call), then.size());
    out.append(then);
  }
  // Their flags are in memory, which a filter can't read. Programs use the older calls instead.
  for (const auto call : {SYS_clone3, SYS_openat2}) {
    out.skip_unless(static_cast<std::uint32_t>(call), 1);
    out.refuse(ENOSYS);
  }
#if defined(__x86_64__)
  // The numbers of x32 mean other forms of the same calls.
  constexpr std::uint32_t x32 = 0x4000'0000;
  out.skip_unless_above(x32 - 1, 1);
  out.refuse(EPERM);
#endif
  out.skip_unless_above(static_cast<std::uint32_t>(last_known), 1);
  out.refuse(ENOSYS);
  out.refuse(EPERM);
  return out.take();
}

}  // namespace gamehub::base
