#include "tools/bench/connector.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/settings.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

namespace gamehub::tools::bench {
namespace {

constexpr std::uint32_t sources = 200;
constexpr int connect_milliseconds_max = 5'000;

// Returns 0 or errno.
int outcome_of_connect(int fd) {
  pollfd waiting{fd, POLLOUT, 0};
  if (poll(&waiting, 1, connect_milliseconds_max) != 1) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

connector::connector(const std::string& host, const std::vector<std::uint16_t>& ports) {
  for (const auto port : ports) {
    const auto where = host + " port " + std::to_string(port);
    add(host, port);
    const auto fd = dial(to_.size() - 1);
    const auto error = fd < 0 ? errno : outcome_of_connect(fd);
    if (fd >= 0) close(fd);
    if (error != 0)
      throw base::usage_error{"can't connect to " + where + ": " + std::strerror(error) +
                              "; start the hub, or give its address with --host and --port"};
    where_ += (where_.empty() ? "" : ", ") + where;
  }
}

void connector::add(const std::string& host, std::uint16_t port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const auto failed = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (failed != 0)
    throw base::usage_error{"--host " + host + " has no address: " + gai_strerror(failed)};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned{found, freeaddrinfo};
  auto& each = to_.emplace_back();
  std::memcpy(&each.address, found->ai_addr, found->ai_addrlen);
  each.size = found->ai_addrlen;
  if (each.address.ss_family == AF_INET) {
    sockaddr_in to{};
    std::memcpy(&to, &each.address, sizeof to);
    loopback_ = (ntohl(to.sin_addr.s_addr) >> 24) == 127;
  } else {
    sockaddr_in6 to{};
    std::memcpy(&to, &each.address, sizeof to);
    loopback_ = IN6_IS_ADDR_LOOPBACK(&to.sin6_addr);
  }
}

void connector::choose_source(int fd) {
  if (!loopback_ || to_.front().address.ss_family != AF_INET) return;
  const int on = 1;
  setsockopt(fd, SOL_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  sockaddr_in from{};
  from.sin_family = AF_INET;
  from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + dialled_ % sources);
  // If that fails, the system chooses an address.
  static_cast<void>(bind(fd, reinterpret_cast<const sockaddr*>(&from), sizeof from));
}

int connector::dial(std::size_t port) {
  const auto& to = to_.at(port);
  const auto fd = socket(to.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  choose_source(fd);
  ++dialled_;
  if (connect(fd, reinterpret_cast<const sockaddr*>(&to.address), to.size) == 0 ||
      errno == EINPROGRESS)
    return fd;
  const auto why = errno;
  close(fd);
  errno = why;
  return -1;
}

void connector::hang_up(int fd) const {
  const linger at_once{1, 0};
  if (loopback_) setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close(fd);
}

void raise_descriptor_limit(std::size_t connections) {
  constexpr std::size_t others = 64;
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
  if (most.rlim_max != RLIM_INFINITY && connections + others > most.rlim_max)
    throw base::usage_error{std::to_string(connections) + " connections are more than the " +
                            std::to_string(most.rlim_max) +
                            " descriptors that this process may open: raise ulimit -n, or give "
                            "fewer --games"};
}

}  // namespace gamehub::tools::bench
