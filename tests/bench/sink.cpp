// A port that only accepts: it reads and discards what comes, over TCP and UDP. An attack on it
// shows what the machine loses by the attack alone, without a server that does work.
//
//   bench_sink 0     takes any free port; prints "ready PORT"
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gamehub::tests::bench {
namespace {

// The port that the socket got, or -1.
int bind_to(int fd, std::uint16_t port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (bind(fd, reinterpret_cast<const sockaddr*>(&at), size) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0)
    return -1;
  return ntohs(at.sin_port);
}

void watch(int epoll, int fd) {
  epoll_event e{};
  e.events = EPOLLIN;
  e.data.fd = fd;
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
}

[[noreturn]] void run(int listener, int datagrams) {
  const auto epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, listener);
  watch(epoll, datagrams);
  std::array<epoll_event, 512> events;
  std::array<char, 64 * 1024> ignored;
  for (;;) {
    const auto n = epoll_wait(epoll, events.data(), events.size(), -1);
    for (int i = 0; i < n; ++i) {
      const auto fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd == listener) {
        for (int client = 0;
             (client = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;)
          watch(epoll, client);
      } else {
        const auto bytes = recv(fd, ignored.data(), ignored.size(), 0);
        if (fd != datagrams && (bytes == 0 || (bytes < 0 && errno != EAGAIN))) close(fd);
      }
    }
  }
}

int main_of(int argc, char** argv) {
  rlimit most{};
  getrlimit(RLIMIT_NOFILE, &most);
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
  const auto listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const auto datagrams = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const auto port =
      argc == 2 ? bind_to(listener, static_cast<std::uint16_t>(std::atoi(argv[1]))) : -1;
  if (port < 0 || listen(listener, SOMAXCONN) != 0 ||
      bind_to(datagrams, static_cast<std::uint16_t>(port)) < 0) {
    std::cerr << "bench_sink: can't listen: " << std::strerror(errno)
              << "; give one port, or 0 for any\n";
    return 2;
  }
  std::cout << "ready " << port << std::endl;
  run(listener, datagrams);
}

}  // namespace
}  // namespace gamehub::tests::bench

int main(int argc, char** argv) { return gamehub::tests::bench::main_of(argc, argv); }
