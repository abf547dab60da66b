#include "tools/bench/attack.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace gamehub::tools::bench {
namespace {

constexpr int pipelined_moves = 10'000;
constexpr std::chrono::milliseconds pause{1};
constexpr int pauses_between_drips = 100;

std::string payload_of(const wire& w, attack kind) {
  std::string payload;
  switch (kind) {
    case attack::garbage:
      // Neither an opcode nor a line of JSON.
      for (int i = 0; i < 1'000; ++i) payload += "\x7f\x7fGET / HTTP/1.1\r\n\r\n";
      return payload;
    case attack::deaf:
    case attack::pipeline:
      // In a game that the client does not play.
      for (int i = 0; i < pipelined_moves; ++i) w.move(0, i % 9, payload);
      return payload;
    case attack::drip:
      w.move(0, 0, payload);
      payload.pop_back();
      return payload;
  }
  return payload;
}

}  // namespace

std::string_view to_string(attack h) {
  switch (h) {
    case attack::deaf: return "deaf";
    case attack::garbage: return "garbage";
    case attack::pipeline: return "pipeline";
    case attack::drip: return "drip";
  }
  return {};
}

std::optional<attack> find_attack(std::string_view word) {
  for (const auto each : {attack::deaf, attack::garbage, attack::pipeline, attack::drip})
    if (to_string(each) == word) return each;
  return {};
}

struct hostile_clients::client {
  int fd = -1;
  std::size_t sent = 0;  // bytes of the payload
  int pauses = 0;
};

hostile_clients::hostile_clients(const wire& w, const connector& d, bench::attack kind, int count)
    : connector_(d),
      kind_(kind),
      payload_(payload_of(w, kind)),
      thread_([this, count] { run(count); }) {}

hostile_clients::~hostile_clients() {
  stopped_ = true;
  thread_.join();
}

void hostile_clients::run(int count) {
  std::vector<client> clients(static_cast<std::size_t>(count));
  while (!stopped_) {
    for (auto& c : clients) run_attack(c);
    // A full socket buffer a thousand times a second is enough load.
    std::this_thread::sleep_for(pause);
  }
  for (const auto& c : clients)
    if (c.fd >= 0) close(c.fd);
}

void hostile_clients::run_attack(client& c) {
  if (c.fd < 0) {
    c = {};
    c.fd = connector_.dial();
    if (c.fd < 0) return;
    ++connections_;
  }
  bool closed = false;
  if (kind_ != attack::deaf) {
    std::array<char, 64 * 1024> ignored;
    ssize_t n = 0;
    while ((n = recv(c.fd, ignored.data(), ignored.size(), 0)) > 0) {
    }
    closed = n == 0 || (errno != EAGAIN && errno != EINTR);
  }
  auto size = payload_.size() - c.sent;
  if (kind_ == attack::drip) {
    size = ++c.pauses % pauses_between_drips == 0 && size > 0 ? 1 : 0;
  }
  if (!closed && size > 0) {
    const auto n = send(c.fd, payload_.data() + c.sent, size, MSG_NOSIGNAL);
    if (n > 0) {
      bytes_ += static_cast<std::uint64_t>(n);
      c.sent += static_cast<std::size_t>(n);
      if (c.sent == payload_.size() && kind_ != attack::drip) c.sent = 0;
    }
    closed = n < 0 && errno != EAGAIN && errno != EINTR;
  }
  if (!closed) return;
  close(c.fd);
  c.fd = -1;
}

}  // namespace gamehub::tools::bench
