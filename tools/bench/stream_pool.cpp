#include "tools/bench/stream_pool.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gamehub::tools::bench {
namespace {

constexpr std::size_t read_bytes_max = 64 * 1024;

}  // namespace

stream_pool::stream_pool(connector& d)
    : connector_(d), buffer_(read_bytes_max), epoll_(epoll_create1(EPOLL_CLOEXEC)) {}

stream_pool::~stream_pool() { ::close(epoll_); }

bool stream_pool::open(channel& c) {
  c.fd = connector_.dial();
  if (c.fd < 0) return false;
  epoll_event e{};
  e.events = EPOLLIN;
  e.data.ptr = &c;
  epoll_ctl(epoll_, EPOLL_CTL_ADD, c.fd, &e);
  return true;
}

void stream_pool::close(channel& c) {
  if (c.fd < 0) return;
  connector_.hang_up(c.fd);
  c.fd = -1;
  c.writing = false;
  c.out.clear();
}

void stream_pool::send(channel& c) {
  if (c.writing) return;
  const auto n = c.out.empty() ? 0 : ::send(c.fd, c.out.data(), c.out.size(), MSG_NOSIGNAL);
  // If the connection failed, reading reports the cause.
  if (n > 0) c.out.erase(0, static_cast<std::size_t>(n));
  if (!c.out.empty()) watch(c, true);
}

void stream_pool::watch(channel& c, bool for_writing) {
  c.writing = for_writing;
  epoll_event e{};
  e.events = EPOLLIN | (for_writing ? EPOLLOUT : 0U);
  e.data.ptr = &c;
  epoll_ctl(epoll_, EPOLL_CTL_MOD, c.fd, &e);
}

void stream_pool::wait(std::chrono::milliseconds time, listener& to) {
  std::array<epoll_event, 512> events;
  const auto n = epoll_wait(epoll_, events.data(), events.size(), static_cast<int>(time.count()));
  for (int i = 0; i < n; ++i) {
    const auto& e = events[static_cast<std::size_t>(i)];
    auto& c = *static_cast<channel*>(e.data.ptr);
    if (c.fd >= 0 && (e.events & EPOLLOUT) != 0) {
      watch(c, false);
      send(c);
    }
    if (c.fd >= 0 && (e.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) read(c, to);
  }
}

void stream_pool::read(channel& c, listener& to) {
  const auto n = recv(c.fd, buffer_.data(), buffer_.size(), 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    const auto why = n == 0 ? "the hub closed a connection" : std::strerror(errno);
    close(c);
    return to.on_closed(c, why);
  }
  received_at_ = clock::now();
  to.on_data(c, {buffer_.data(), static_cast<std::size_t>(n)});
}

}  // namespace gamehub::tools::bench
