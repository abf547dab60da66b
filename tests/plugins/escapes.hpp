// What the code of an engine tries to get out of its process: at the hub, at files, at the network
// and beyond its bounds. Compiled into the hostile plugin and into a child process of unit tests.
// Each attempt does no harm that a test can't see: the hub still runs, and says so.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/prctl.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace gamehub::tests {

// Returns true if it is done; else errno says why not.
struct escape {
  const char* name;
  bool (*is_done)(pid_t hub);
};

inline std::string of_process(pid_t hub, const char* file) {
  return "/proc/" + std::to_string(hub) + '/' + file;
}

inline bool opens(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

inline bool makes(int file) {
  if (file >= 0) close(file);
  return file >= 0;
}

// The name of a variable that the hub has.
inline constexpr const char* secret_variable = "HUB_SECRET_OF_TEST";

inline constexpr escape escapes[] = {
    {"signal-by-owner",
     [](pid_t hub) {
       int ends[2];
       if (pipe(ends) != 0) return false;
       bool done = fcntl(ends[0], F_SETOWN, hub) == 0;
       if (!done) done = ioctl(ends[0], FIOSETOWN, &hub) == 0;
       if (done) {
         fcntl(ends[0], F_SETSIG, SIGKILL);
         fcntl(ends[0], F_SETFL, O_ASYNC);
         done = write(ends[1], "x", 1) == 1;
       }
       return done;
     }},
    {"write-memory", [](pid_t hub) { return opens(of_process(hub, "mem"), O_RDWR); }},
    {"read-memory", [](pid_t hub) { return opens(of_process(hub, "mem"), O_RDONLY); }},
    {"write-by-process-vm",
     [](pid_t hub) {
       char byte = 0;
       const iovec from{&byte, 1}, to{reinterpret_cast<void*>(0x1000), 1};
       // A wrong address is what a process finds that may do it.
       return process_vm_writev(hub, &from, 1, &to, 1, 0) == 1 || errno == EFAULT;
     }},
    {"take-descriptor",
     [](pid_t hub) {
       const auto process = static_cast<int>(syscall(SYS_pidfd_open, hub, 0));
       return process >= 0 && syscall(SYS_pidfd_getfd, process, 0, 0) >= 0;
     }},
    {"list-descriptors",
     [](pid_t hub) {
       char name[64];
       return readlink(of_process(hub, "fd/0").c_str(), name, sizeof name) > 0;
     }},
    {"limit-files",
     [](pid_t hub) {
       const rlimit few{64, 64};  // enough for what the hub does in a test
       return prlimit(hub, RLIMIT_NOFILE, &few, nullptr) == 0;
     }},
    {"fill-memory-file",
     [](pid_t) {
       const auto file = static_cast<int>(syscall(SYS_memfd_create, "x", 0));
       return file >= 0 && ftruncate(file, 1 << 30) == 0;
     }},
    {"share-memory", [](pid_t) { return shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600) >= 0; }},
    {"read-environment",
     [](pid_t hub) {
       errno = ENOENT;
       return std::getenv(secret_variable) != nullptr ||
              opens(of_process(hub, "environ"), O_RDONLY);
     }},
    {"trace", [](pid_t hub) { return ptrace(PTRACE_SEIZE, hub, nullptr, nullptr) == 0; }},
    {"use-network", [](pid_t) { return makes(socket(AF_INET, SOCK_STREAM, 0)); }},
    {"use-local-sockets",
     [](pid_t) {
       int ends[2];
       // It could send to any socket of datagrams, such as that of the system's log.
       return makes(socket(AF_UNIX, SOCK_DGRAM, 0)) ||
              socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0;
     }},
    {"read-files", [](pid_t) { return opens("/etc/passwd", O_RDONLY); }},
    {"list-files", [](pid_t) { return opens("/tmp", O_RDONLY | O_DIRECTORY); }},
    {"write-files",
     [](pid_t) {
       const auto path = "/tmp/gamehub-escape-" + std::to_string(getpid());
       const bool done = opens(path, O_WRONLY | O_CREAT | O_EXCL);
       if (done) unlink(path.c_str());
       return done;
     }},
    {"change-files",
     [](pid_t) {
       // Of this account, whichever that is.
       int ends[2];
       return pipe(ends) == 0 && fchmod(ends[0], 0600) == 0;
     }},
    {"signal", [](pid_t hub) { return kill(hub, SIGKILL) == 0; }},
    {"signal-by-descriptor",
     [](pid_t hub) {
       const auto process = static_cast<int>(syscall(SYS_pidfd_open, hub, 0));
       return process >= 0 && syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0) == 0;
     }},
    {"start-process",
     [](pid_t) {
       const auto id = fork();
       if (id == 0) _exit(0);
       return id > 0;
     }},
    {"slow-down",
     [](pid_t hub) { return setpriority(PRIO_PROCESS, static_cast<id_t>(hub), 19) == 0; }},
    // Between sessions the kernel shares the processor by what is written there.
    {"slow-down-session", [](pid_t hub) { return opens(of_process(hub, "autogroup"), O_RDWR); }},
    {"pin",
     [](pid_t hub) {
       cpu_set_t one;
       CPU_ZERO(&one);
       CPU_SET(0, &one);
       return sched_setaffinity(hub, sizeof one, &one) == 0;
     }},
    {"outlive", [](pid_t) { return prctl(PR_SET_PDEATHSIG, 0) == 0; }},
    {"enter-namespace", [](pid_t) { return unshare(CLONE_NEWUSER) == 0; }},
    {"mount",
     [](pid_t) {
       return mount("none", "/no/such/folder", "tmpfs", 0, nullptr) == 0 || errno == ENOENT;
     }},
    {"use-io-ring",
     [](pid_t) {
       char parameters[256] = {};
       return syscall(SYS_io_uring_setup, 1, parameters) >= 0;
     }},
};

// Returns "" if there is no escape of that name, "done", or "refused: " and why.
inline std::string try_escape(const std::string& name, pid_t hub) {
  for (const auto& each : escapes) {
    if (name != each.name) continue;
    errno = 0;
    if (each.is_done(hub)) return "done";
    return std::string{"refused: "} + std::strerror(errno);
  }
  return {};
}

}  // namespace gamehub::tests
