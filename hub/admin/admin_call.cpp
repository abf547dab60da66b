#include "hub/admin/admin_call.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace gamehub::admin {
namespace {

using clock = std::chrono::steady_clock;

// What Prometheus is told is some hundred kilobytes.
constexpr std::size_t answer_bytes_max = 16 * 1024 * 1024;

class call {
 public:
  call(const std::string& host, std::uint16_t port, std::chrono::milliseconds time)
      : where_(host + " port " + std::to_string(port)), until_(clock::now() + time) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const auto failed = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
    if (failed != 0) fail(gai_strerror(failed));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned{found, freeaddrinfo};
    fd_ = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd_ < 0) fail(std::strerror(errno));
    if (connect(fd_, found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS)
      close_and_fail(std::strerror(errno));
  }
  ~call() { close(fd_); }
  call(const call&) = delete;
  call& operator=(const call&) = delete;

  void say(std::string_view text) {
    while (!text.empty()) {
      await(POLLOUT);
      const auto n = send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n < 0 && errno != EAGAIN && errno != EINTR) fail(std::strerror(errno));
      if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  // Until the other side closes.
  std::string hear() {
    std::string all;
    std::array<char, 16 * 1024> part;
    while (all.size() < answer_bytes_max) {
      await(POLLIN);
      const auto n = recv(fd_, part.data(), part.size(), 0);
      if (n == 0) return all;
      if (n < 0 && errno != EAGAIN && errno != EINTR) fail(std::strerror(errno));
      if (n > 0) all.append(part.data(), static_cast<std::size_t>(n));
    }
    return all;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw no_answer{"no hub answers on " + where_ + " (" + why +
                    "): start it, or say where its admin server is with --admin-port and "
                    "--admin-listen"};
  }

 private:
  void await(short what) {
    pollfd waiting{fd_, what, 0};
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - clock::now());
      const auto ready = left.count() > 0 ? poll(&waiting, 1, static_cast<int>(left.count())) : 0;
      if (ready > 0) return;
      if (ready == 0) fail("no answer in time");
      if (errno != EINTR) fail(std::strerror(errno));
    }
  }

  [[noreturn]] void close_and_fail(const std::string& why) const {
    close(fd_);
    fail(why);
  }

  std::string where_;
  clock::time_point until_;
  int fd_ = -1;
};

}  // namespace

std::string host_of(const std::string& listening) {
  if (listening == "0.0.0.0") return "127.0.0.1";
  if (listening == "::") return "::1";
  return listening;
}

admin_answer call_admin(const std::string& host, std::uint16_t port, const std::string& method,
                        const std::string& target, std::chrono::milliseconds time,
                        const std::string& token, const std::string& body) {
  call to{host, port, time};
  auto head_out = method + " " + target + " HTTP/1.1\r\nHost: gamehub\r\nConnection: close\r\n";
  if (!token.empty()) head_out += "Authorization: Bearer " + token + "\r\n";
  if (!body.empty()) head_out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  to.say(head_out + "\r\n" + body);
  const auto text = to.hear();
  constexpr std::string_view version = "HTTP/1.1 ", end_of_head = "\r\n\r\n";
  const auto head = text.find(end_of_head);
  admin_answer out;
  if (!text.starts_with(version) || head == text.npos ||
      std::from_chars(text.data() + version.size(), text.data() + head, out.status).ec !=
          std::errc{})
    to.fail("what answers is no admin server");
  out.body = text.substr(head + end_of_head.size());
  return out;
}

std::string without_line_end(std::string body) {
  body.erase(body.find_last_not_of('\n') + 1);
  return body;
}

}  // namespace gamehub::admin
