#include "hub/base/sandbox.hpp"

#include "hub/base/call_filter.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace gamehub::base {

namespace {

// As in the kernel's header of ABI 6, which may be newer than the one here. The kernel takes a
// shorter ruleset, and a longer one only if it knows the rest or the rest is zero.
struct ruleset {
  std::uint64_t files = 0, network = 0, scopes = 0;
};

constexpr std::uint64_t bit(int number) {
  return std::uint64_t{1} << static_cast<unsigned>(number);
}

constexpr std::uint64_t run_file = LANDLOCK_ACCESS_FS_EXECUTE,
                        write_file = LANDLOCK_ACCESS_FS_WRITE_FILE,
                        read_file = LANDLOCK_ACCESS_FS_READ_FILE,
                        read_folder = LANDLOCK_ACCESS_FS_READ_DIR;

// The bits of each ABI are those of the one before, and more: removing and making files, moving
// them (2), truncating (3), commands to devices (5).
ruleset refused_by(long abi) {
  ruleset out;
  out.files = bit(abi >= 5 ? 16 : abi >= 3 ? 15 : abi >= 2 ? 14 : 13) - 1;
  // TCP: to listen and to connect.
  if (abi >= 4) out.network = bit(2) - 1;
  // Abstract Unix sockets and signals, to processes outside of the sandbox.
  if (abi >= 6) out.scopes = bit(2) - 1;
  return out;
}

// Devices that have no contents.
constexpr const char* devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                   "/dev/urandom"};

bool allow(int rules, const std::string& path, std::uint64_t access) {
  const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (file < 0) return false;
  struct stat found {};
  if (fstat(file, &found) != 0 || !S_ISDIR(found.st_mode)) access &= ~read_folder;
  landlock_path_beneath_attr beneath{};
  beneath.allowed_access = access;
  beneath.parent_fd = file;
  const auto failed =
      syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
  close(file);
  return failed == 0;
}

bool restrict_files(const sandbox_request& wanted) {
  const long abi =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return false;
  const auto refused = refused_by(abi);
  const auto size = abi >= 6   ? sizeof(ruleset)
                    : abi >= 4 ? offsetof(ruleset, scopes)
                               : offsetof(ruleset, network);
  const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &refused, size, 0));
  if (rules < 0) return false;
  for (const auto* device : devices) allow(rules, device, read_file | write_file);
  for (const auto& path : wanted.readable)
    allow(rules, path, read_file | read_folder | (wanted.exec ? run_file : 0));
  const auto failed = syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
  return failed == 0;
}

bool filter_calls(const call_filter_settings& wanted) {
  auto code = call_filter(wanted);
  if (code.empty()) return false;
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// The process has no name in the namespace, and needs none. A bound on threads counts only those of
// the namespace; outside of one it would count all processes of the account.
bool enter_user_namespace() {
  if (unshare(CLONE_NEWUSER) != 0) return false;
  const rlimit threads{sandbox_threads_max, sandbox_threads_max};
  setrlimit(RLIMIT_NPROC, &threads);
  return true;
}

void drop_capabilities() {
  __user_cap_header_struct header{};
  header.version = _LINUX_CAPABILITY_VERSION_3;
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  syscall(SYS_capset, &header, none.data());
}

sandbox_policy& policy() {
  static auto& of_program = *new sandbox_policy;
  return of_program;
}

void add(std::string& to, const char* what) { to.append(to.empty() ? "" : "; ").append(what); }

}  // namespace

void use_sandbox(sandbox_policy wanted) { policy() = std::move(wanted); }
const sandbox_policy& sandbox_in_use() { return policy(); }

std::string missing_in_words(const sandbox_parts& has, bool all) {
  std::string out;
  if (!has.call_filter)
    add(out, "seccomp, so that an engine can use the network and reach other processes");
  if (!has.landlock) add(out, "Landlock, so that an engine can read what this account can read");
  if (all && !has.user_namespace)
    add(out, "user namespaces, so that an engine can start threads without a bound");
  return out;
}

std::string line_of(const sandbox_parts& has) {
  const auto number = [](bool it) { return it ? "1" : "0"; };
  return std::string{"seccomp="} + number(has.call_filter) + " landlock=" + number(has.landlock) +
         " user_namespace=" + number(has.user_namespace);
}

sandbox_parts parts_in(std::string_view text) {
  for (const bool filter : {false, true})
    for (const bool landlock : {false, true})
      for (const bool user_namespace : {false, true})
        if (const sandbox_parts has{filter, landlock, user_namespace}; text == line_of(has))
          return has;
  return {};
}

sandbox_parts enter_sandbox(const sandbox_request& wanted) {
  sandbox_parts has;
  has.user_namespace = enter_user_namespace();
  drop_capabilities();
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  has.landlock = restrict_files(wanted);
  has.call_filter =
      filter_calls({.self = getpid(), .exec = wanted.exec, .read_only = !has.landlock});
  return has;
}

void hide_from_other_processes() { prctl(PR_SET_DUMPABLE, 0); }

}  // namespace gamehub::base
