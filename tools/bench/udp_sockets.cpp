#include "tools/bench/udp_sockets.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"
#include "tools/bench/connector.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gamehub::tools::bench {
namespace {

constexpr int buffer_bytes = 4 * 1024 * 1024;
constexpr std::size_t batch_max = 64;

struct address {
  sockaddr_storage to{};
  socklen_t size = 0;

  const sockaddr* any() const { return reinterpret_cast<const sockaddr*>(&to); }
  bool is_ipv4_loopback() const {
    sockaddr_in four{};
    std::memcpy(&four, &to, sizeof four);
    return to.ss_family == AF_INET && (ntohl(four.sin_addr.s_addr) >> 24) == IN_LOOPBACKNET;
  }
  bool is_ipv6_loopback() const {
    sockaddr_in6 six{};
    std::memcpy(&six, &to, sizeof six);
    return to.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
  }
};

address find(const udp_target& target) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const auto failed =
      getaddrinfo(target.host.c_str(), std::to_string(target.port).c_str(), &wanted, &found);
  if (failed != 0)
    throw base::usage_error{"--host " + target.host + " has no address: " + gai_strerror(failed)};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned{found, freeaddrinfo};
  address out;
  std::memcpy(&out.to, found->ai_addr, found->ai_addrlen);
  out.size = found->ai_addrlen;
  return out;
}

int open_socket(int family) {
  const auto fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0)
    throw base::usage_error{std::string{"a UDP socket can't be opened: "} + std::strerror(errno)};
  return fd;
}

// Closes its descriptor.
class owned_descriptor {
 public:
  explicit owned_descriptor(int fd) : fd_(fd) {}
  ~owned_descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  owned_descriptor(owned_descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  owned_descriptor& operator=(owned_descriptor&&) = delete;

  int get() const { return fd_; }

 private:
  int fd_;
};

// If nothing listens, the kernel reports it after an empty datagram, which a hub ignores.
void check_listener(const udp_target& target, const address& to) {
  constexpr int milliseconds = 100;
  const owned_descriptor probe{open_socket(to.to.ss_family)};
  int error = 0;
  if (connect(probe.get(), to.any(), to.size) != 0 || ::send(probe.get(), "", 0, 0) < 0)
    error = errno;
  pollfd readable{probe.get(), 0, 0};
  socklen_t size = sizeof error;
  if (error == 0 && poll(&readable, 1, milliseconds) == 1)
    getsockopt(probe.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0)
    throw base::usage_error{"nothing answers at " + target.where() + ": " + std::strerror(error) +
                            "; start the hub, or give its address with --host and --port"};
}

class socket_each final : public udp_sockets {
 public:
  socket_each(const address& to, std::size_t players) : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    raise_descriptor_limit(players);
    sockets_.reserve(players);
    for (std::size_t i = 0; i < players; ++i) {
      const auto fd = sockets_.emplace_back(open_socket(to.to.ss_family)).get();
      if (connect(fd, to.any(), to.size) != 0)
        throw base::usage_error{std::string{"the hub can't be reached: "} + std::strerror(errno) +
                                "; give fewer --games"};
      epoll_event e{};
      e.events = EPOLLIN;
      e.data.u32 = static_cast<std::uint32_t>(i);
      epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &e);
    }
  }

  void send(udp_byte what) override {
    static_cast<void>(::send(sockets_[what.player].get(), &what.byte, 1, MSG_NOSIGNAL));
  }
  void flush() override {}
  std::size_t descriptors() const override { return sockets_.size(); }

  std::span<const udp_byte> receive(std::chrono::milliseconds wait) override {
    std::array<epoll_event, 512> events;
    const auto n =
        epoll_wait(epoll_.get(), events.data(), events.size(), static_cast<int>(wait.count()));
    came_.clear();
    for (int i = 0; i < n; ++i) {
      const auto player = events[static_cast<std::size_t>(i)].data.u32;
      char byte = 0;
      if (recv(sockets_[player].get(), &byte, 1, 0) == 1) came_.push_back({player, byte});
    }
    return came_;
  }

 private:
  owned_descriptor epoll_;
  std::vector<owned_descriptor> sockets_;
  std::vector<udp_byte> came_;
};

// Each player has a loopback address, which is passed with each datagram. One system call transfers
// many datagrams, so that the load uses less CPU than the hub.
class shared_socket final : public udp_sockets {
 public:
  static constexpr std::uint32_t first_source = 0x7F010000;  // 127.1.0.0
  static constexpr std::size_t sources_max = 0x800000;

  explicit shared_socket(const address& to) : fd_(open_socket(AF_INET)), to_(to) {
    const int on = 1;
    setsockopt(fd_.get(), SOL_IP, IP_PKTINFO, &on, sizeof on);
    for (const auto& [forced, bounded] :
         {std::pair{SO_RCVBUFFORCE, SO_RCVBUF}, std::pair{SO_SNDBUFFORCE, SO_SNDBUF}})
      if (setsockopt(fd_.get(), SOL_SOCKET, forced, &buffer_bytes, sizeof buffer_bytes) != 0)
        setsockopt(fd_.get(), SOL_SOCKET, bounded, &buffer_bytes, sizeof buffer_bytes);
    for (std::size_t i = 0; i < batch_max; ++i) {
      prepare(in_, i);
      prepare(out_, i);
      out_.headers[i].msg_hdr.msg_name = &to_.to;
      out_.headers[i].msg_hdr.msg_namelen = to_.size;
    }
    sockaddr_in any{};
    any.sin_family = AF_INET;
    if (bind(fd_.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0)
      throw base::usage_error{std::string{"a UDP port can't be opened: "} + std::strerror(errno)};
  }

  void send(udp_byte what) override {
    out_.bytes[waiting_] = what.byte;
    auto* const control = CMSG_FIRSTHDR(&out_.headers[waiting_].msg_hdr);
    control->cmsg_level = IPPROTO_IP;
    control->cmsg_type = IP_PKTINFO;
    control->cmsg_len = CMSG_LEN(sizeof(in_pktinfo));
    in_pktinfo from{};
    from.ipi_spec_dst.s_addr = htonl(first_source + what.player);
    std::memcpy(CMSG_DATA(control), &from, sizeof from);
    if (++waiting_ == batch_max) flush();
  }

  void flush() override {
    for (std::size_t sent = 0; sent < waiting_;) {
      const auto n = sendmmsg(fd_.get(), out_.headers.data() + sent,
                              static_cast<unsigned>(waiting_ - sent), MSG_DONTWAIT);
      if (n < 0 && errno == EINTR) continue;
      // A datagram that could not be sent is lost.
      sent += n < 0 ? 1 : static_cast<std::size_t>(n);
    }
    waiting_ = 0;
  }
  std::size_t descriptors() const override { return 1; }

  std::span<const udp_byte> receive(std::chrono::milliseconds wait) override {
    auto n = receive_now();
    if (n <= 0 && wait.count() > 0) {
      pollfd readable{fd_.get(), POLLIN, 0};
      poll(&readable, 1, static_cast<int>(wait.count()));
      n = receive_now();
    }
    came_.clear();
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(n, 0)); ++i) {
      auto* const control = CMSG_FIRSTHDR(&in_.headers[i].msg_hdr);
      if (control == nullptr || in_.headers[i].msg_len != 1) continue;
      in_pktinfo to{};
      std::memcpy(&to, CMSG_DATA(control), sizeof to);
      came_.push_back({ntohl(to.ipi_addr.s_addr) - first_source, in_.bytes[i]});
    }
    return came_;
  }

 private:
  static constexpr std::size_t control_bytes = CMSG_SPACE(sizeof(in_pktinfo));
  struct alignas(cmsghdr) control_block {
    std::array<char, control_bytes> bytes;
  };
  struct batch {
    std::array<mmsghdr, batch_max> headers{};
    std::array<iovec, batch_max> parts{};
    std::array<control_block, batch_max> controls{};
    std::array<char, batch_max> bytes{};
  };

  static void prepare(batch& b, std::size_t i) {
    b.parts[i] = {&b.bytes[i], 1};
    auto& header = b.headers[i].msg_hdr;
    header.msg_iov = &b.parts[i];
    header.msg_iovlen = 1;
    header.msg_control = b.controls[i].bytes.data();
    header.msg_controllen = control_bytes;
  }

  int receive_now() {
    for (auto& each : in_.headers) each.msg_hdr.msg_controllen = control_bytes;
    return recvmmsg(fd_.get(), in_.headers.data(), batch_max, MSG_DONTWAIT, nullptr);
  }

  owned_descriptor fd_;
  address to_;
  batch in_, out_;
  std::size_t waiting_ = 0;
  std::vector<udp_byte> came_;
};

}  // namespace

bool udp_target::loopback() const {
  const auto at = find(*this);
  return at.is_ipv4_loopback() || at.is_ipv6_loopback();
}

std::unique_ptr<udp_sockets> open_udp_sockets(const udp_target& target, std::size_t players,
                                              bool sources) {
  const auto to = find(target);
  check_listener(target, to);
  if (!sources) return std::make_unique<socket_each>(to, players);
  if (!to.is_ipv4_loopback())
    throw base::usage_error{"--sources needs a hub in 127.0.0.0/8, and " + target.host +
                            " is not: leave it out, or give --host 127.0.0.1"};
  static_assert(shared_socket::sources_max >= limits::games_max);
  return std::make_unique<shared_socket>(to);
}

}  // namespace gamehub::tools::bench
