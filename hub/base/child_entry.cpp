#include "hub/base/child_entry.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace gamehub::base {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0;  // no filter
#endif

void bound(decltype(RLIMIT_AS) what, rlim_t most, rlim_t grace = 0) {
  const rlimit both{most, most + grace};
  setrlimit(what, &both);
}

// A filter of system calls, as the kernel reads it: instructions that load a word of the call, jump
// over some of the next ones, or say what becomes of it.
class call_filter {
 public:
  call_filter() {
    load(offsetof(seccomp_data, arch));
    skip_if(machine, 1);
    answer(SECCOMP_RET_ERRNO | EPERM);
    load(number);
#if defined(__x86_64__)
    // The numbers of x32, which mean the same calls.
    constexpr std::uint32_t x32 = 0x40000000;
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32, 0, 1));
    answer(SECCOMP_RET_ERRNO | EPERM);
#endif
  }

  void refuse(long call, int error) {
    skip_unless(static_cast<std::uint32_t>(call), 1);
    answer(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }

  // Refused unless its first argument has one of these bits.
  void refuse_without(long call, std::uint32_t bits) {
    skip_unless(static_cast<std::uint32_t>(call), 4);
    load(first_argument);
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
    answer(SECCOMP_RET_ERRNO | EPERM);
    answer(SECCOMP_RET_ALLOW);
  }

  // Refused unless its first argument is this.
  void refuse_but_for(long call, std::uint32_t only) {
    skip_unless(static_cast<std::uint32_t>(call), 4);
    load(first_argument);
    skip_if(only, 1);
    answer(SECCOMP_RET_ERRNO | EPERM);
    answer(SECCOMP_RET_ALLOW);
  }

  // From now on, for good.
  void install() {
    answer(SECCOMP_RET_ALLOW);
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  }

 private:
  static constexpr std::uint32_t number = offsetof(seccomp_data, nr);
  // Its lower half, on machines of this byte order.
  static constexpr std::uint32_t first_argument = offsetof(seccomp_data, args);

  void load(std::size_t where) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(where)));
  }
  void skip_if(std::uint32_t value, std::uint8_t count) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0));
  }
  void skip_unless(std::uint32_t value, std::uint8_t count) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
  }
  void answer(std::uint32_t what) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }

  std::vector<sock_filter> code_;
};

// Neither starts a process nor reaches into another one. The bound on a user's processes would
// count those of the whole machine, and root has none. A kernel without filters leaves it at that.
void stay_alone(bool may_exec) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (machine == 0) return;
  call_filter filter;
  filter.refuse_without(SYS_clone, CLONE_THREAD);
  // Its flags lie where a filter can't read: the C library then falls back on the other one.
  filter.refuse(SYS_clone3, ENOSYS);
#if defined(__x86_64__)
  filter.refuse(SYS_fork, EPERM);
  filter.refuse(SYS_vfork, EPERM);
#endif
  for (const auto call :
       {SYS_ptrace, SYS_process_vm_writev, SYS_pidfd_send_signal, SYS_rt_sigqueueinfo, SYS_tkill})
    filter.refuse(call, EPERM);
  // Another program in its place has the same filter, and no more rights.
  if (!may_exec)
    for (const auto call : {SYS_execve, SYS_execveat}) filter.refuse(call, EPERM);
  // It may still end itself: abort() does it that way.
  const auto self = static_cast<std::uint32_t>(getpid());
  for (const auto call : {SYS_kill, SYS_tgkill, SYS_rt_tgsigqueueinfo})
    filter.refuse_but_for(call, self);
  filter.install();
}

void keep_to(const child_limits& limits) {
  // A crash here is expected: no core dump is needed.
  bound(RLIMIT_CORE, 0);
  bound(RLIMIT_NOFILE, static_cast<rlim_t>(limits.files_max));
  // The first signal has a name that says why; the second one can't be caught.
  if (limits.cpu.count() > 0) bound(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu.count()), 1);
  if (sanitized) return;
  if (limits.memory_bytes > 0) bound(RLIMIT_AS, limits.memory_bytes);
  if (!limits.processes) stay_alone(limits.exec);
}

[[noreturn]] void refuse_to_start(const char* why) {
  std::cerr << "gamehub: " << why << '\n';
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

std::string in_one_word(const child_limits& limits) {
  std::ostringstream out;
  out << getpid() << ',' << limits.memory_bytes << ',' << limits.cpu.count() << ','
      << limits.files_max << ',' << limits.processes << ',' << limits.exec;
  return out.str();
}

void enter_child(int& argc, char**& argv) {
  if (argc < 2 || argv[1] != child_word) return;
  pid_t parent = 0;
  child_limits limits;
  long cpu = 0;
  char comma = 0;
  std::istringstream words{argc > 2 ? argv[2] : ""};
  words >> parent >> comma >> limits.memory_bytes >> comma >> cpu >> comma >> limits.files_max >>
      comma >> limits.processes >> comma >> limits.exec;
  if (!words || !words.eof()) refuse_to_start("as-child is for the hub alone: say gamehub --help.");
  limits.cpu = std::chrono::seconds{cpu};
  // Asked after the tie is made, or it could be missed that the parent goes.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) refuse_to_start("the hub that started this process is gone.");
  keep_to(limits);
  argv[2] = argv[0];
  argc -= 2;
  argv += 2;
}

}  // namespace gamehub::base
