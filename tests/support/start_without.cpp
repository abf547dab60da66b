// Starts a program as on a system that has less: start_without WHAT... PROGRAM ARGUMENT...
//   landlock, seccomp, namespaces   the kernel lacks it, also for all children
//   account=N                       under this account, which needs uid 0
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::string_view account = "account=";

// Refuses a call, or only with this first argument.
void refuse(long call, std::uint32_t first_argument, bool any, int error) {
  const auto refused = SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
  std::vector<sock_filter> code{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  if (!any) {
    code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)));
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first_argument, 1, 0));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, refused));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) std::abort();
}

bool take_away(std::string_view what) {
  if (what == "landlock")
    refuse(SYS_landlock_create_ruleset, 0, true, ENOSYS);
  else if (what == "seccomp")
    refuse(SYS_prctl, PR_SET_SECCOMP, false, EINVAL);
  else if (what == "namespaces")
    refuse(SYS_unshare, 0, true, EPERM);
  else
    return false;
  return true;
}

bool become(std::string_view what) {
  if (!what.starts_with(account)) return false;
  const auto number = static_cast<uid_t>(std::atoi(what.data() + account.size()));
  if (setgid(number) != 0 || setuid(number) != 0) std::abort();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  int next = 1;
  while (next < argc && (take_away(argv[next]) || become(argv[next]))) ++next;
  if (next < argc) execv(argv[next], argv + next);
  std::perror("start_without");
  return 127;
}
