#include "engines/process/frames.hpp"

#include "engines/process/wire_format.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <poll.h>
#include <sys/socket.h>

namespace gamehub::engines::process {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t size_bytes = 4;

int left_until(deadline until) {
  if (until == no_deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
}

passed wait(int socket, short what, deadline until) {
  for (;;) {
    pollfd ready{socket, what, 0};
    const int count = poll(&ready, 1, left_until(until));
    if (count > 0) return passed::whole;
    if (count < 0 && errno != EINTR) return passed::ended;
    if (until != no_deadline && steady_clock::now() >= until) return passed::out_of_time;
  }
}

// Most transfers complete immediately. Polls only if a call would block.
passed send_all(int socket, const char* bytes, std::size_t size, deadline until) {
  while (size > 0) {
    const auto sent = ::send(socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      bytes += sent;
      size -= static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN) {
      if (const auto ready = wait(socket, POLLOUT, until); ready != passed::whole) return ready;
    } else if (errno != EINTR) {
      return passed::ended;
    }
  }
  return passed::whole;
}

passed receive_all(int socket, char* bytes, std::size_t size, deadline until) {
  while (size > 0) {
    const auto got = recv(socket, bytes, size, MSG_DONTWAIT);
    if (got > 0) {
      bytes += got;
      size -= static_cast<std::size_t>(got);
    } else if (got == 0) {
      return passed::ended;
    } else if (errno == EAGAIN) {
      if (const auto ready = wait(socket, POLLIN, until); ready != passed::whole) return ready;
    } else if (errno != EINTR) {
      return passed::ended;
    }
  }
  return passed::whole;
}

}  // namespace

passed send(int socket, std::string_view message, deadline until) {
  std::string bytes;
  bytes.reserve(size_bytes + message.size());
  for (std::size_t i = 0; i < size_bytes; ++i)
    bytes.push_back(static_cast<char>((message.size() >> (8 * i)) & 0xff));
  bytes += message;
  return send_all(socket, bytes.data(), bytes.size(), until);
}

passed receive(int socket, std::string& message, deadline until) {
  std::array<char, size_bytes> head{};
  if (const auto got = receive_all(socket, head.data(), head.size(), until); got != passed::whole)
    return got;
  std::size_t size = 0;
  for (std::size_t i = 0; i < size_bytes; ++i)
    size |= static_cast<std::size_t>(static_cast<unsigned char>(head[i])) << (8 * i);
  if (size > message_bytes_max) return passed::nonsense;
  // Grows with the received bytes, so that an announced size alone allocates no memory.
  message.clear();
  constexpr std::size_t piece = 64 * 1024;
  while (message.size() < size) {
    const auto before = message.size();
    message.resize(std::min(size, before + piece));
    if (const auto got =
            receive_all(socket, message.data() + before, message.size() - before, until);
        got != passed::whole)
      return got;
  }
  return passed::whole;
}

}  // namespace gamehub::engines::process
