#include "tests/system/tcp_client.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gamehub::tests::system {

namespace {

sockaddr_in address_of(const char* text, std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  inet_pton(AF_INET, text, &out.sin_addr);
  return out;
}

const sockaddr* as_sockaddr(const sockaddr_in& in) {
  return reinterpret_cast<const sockaddr*>(&in);
}

[[noreturn]] void fail(int socket, const char* what) {
  const std::error_code why{errno, std::generic_category()};
  ::close(socket);
  throw std::system_error{why, what};
}

}  // namespace

tcp_client::tcp_client(std::uint16_t port, tcp_options options)
    : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (socket_ < 0) fail(socket_, "socket");
  if (options.receive_buffer_bytes > 0)
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &options.receive_buffer_bytes, sizeof(int));
  if (options.segment_bytes > 0)
    setsockopt(socket_, IPPROTO_TCP, TCP_MAXSEG, &options.segment_bytes, sizeof(int));
  const int yes = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (options.from != nullptr) {
    const auto own = address_of(options.from, 0);
    if (bind(socket_, as_sockaddr(own), sizeof own) != 0) fail(socket_, "bind");
  }
  const auto hub = address_of("127.0.0.1", port);
  if (connect(socket_, as_sockaddr(hub), sizeof hub) != 0) fail(socket_, "connect");
}

tcp_client::~tcp_client() { close(); }

tcp_client::tcp_client(tcp_client&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      state_(other.state_),
      inbox_(std::move(other.inbox_)) {}

void tcp_client::send(std::string_view bytes) {
  const deadline until;
  while (!bytes.empty() && !until.over()) {
    pollfd ready{socket_, POLLIN | POLLOUT, 0};
    if (ended()) ready.events = POLLOUT;
    if (poll(&ready, 1, until.poll_milliseconds()) <= 0) continue;
    if ((ready.revents & POLLIN) != 0 && !ended()) fill(until);
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return;
  }
}

std::size_t tcp_client::stuff(std::string_view bytes, std::chrono::milliseconds a_while) {
  std::size_t total = 0;
  while (!bytes.empty()) {
    pollfd ready{socket_, POLLOUT, 0};
    if (poll(&ready, 1, static_cast<int>(a_while.count())) <= 0) break;
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) break;
    if (sent <= 0) continue;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
    total += static_cast<std::size_t>(sent);
  }
  return total;
}

bool tcp_client::fill(const deadline& until) {
  if (ended()) return false;
  for (;;) {
    pollfd ready{socket_, POLLIN, 0};
    const int found = poll(&ready, 1, until.poll_milliseconds());
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) {
      state_ = state::silent;
      return false;
    }
    std::array<char, 65536> bytes;
    const auto size = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size > 0) {
      state_ = state::open;
      inbox_.append(bytes.data(), static_cast<std::size_t>(size));
      return true;
    }
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    state_ = size == 0 ? state::ended : state::reset;
    return false;
  }
}

std::optional<std::string> tcp_client::read(std::size_t bytes) {
  const deadline until;
  while (inbox_.size() < bytes)
    if (!fill(until)) return std::nullopt;
  auto out = inbox_.substr(0, bytes);
  inbox_.erase(0, bytes);
  return out;
}

std::optional<std::string> tcp_client::read_line() {
  const deadline until;
  std::size_t looked_at = 0;
  auto end = inbox_.find('\n');
  while (end == inbox_.npos) {
    looked_at = inbox_.size();
    if (!fill(until)) return std::nullopt;
    end = inbox_.find('\n', looked_at);
  }
  auto out = inbox_.substr(0, end);
  inbox_.erase(0, end + 1);
  return out;
}

std::string tcp_client::rest() {
  const deadline until;
  while (fill(until)) continue;
  return std::exchange(inbox_, {});
}

bool tcp_client::has_more() {
  return !inbox_.empty() || fill(deadline{std::chrono::milliseconds{0}});
}

std::string tcp_client::state_text() const {
  switch (state_) {
    case state::open: return "open";
    case state::silent: return "nothing came";
    case state::ended: return "end";
    case state::reset: return "reset";
  }
  return "unknown";
}

void tcp_client::close() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void tcp_client::half_close() { shutdown(socket_, SHUT_WR); }

void tcp_client::abort() {
  const linger at_once{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

}  // namespace gamehub::tests::system
