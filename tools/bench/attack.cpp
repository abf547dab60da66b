#include "hub/app/bench/hostile.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <vector>

namespace gamehub::app::bench {
namespace {

constexpr int pipelined_moves = 10'000;
constexpr std::chrono::milliseconds pause{1};
constexpr int pauses_between_drips = 100;

std::string words_of(const wire& w, attack kind) {
  std::string words;
  switch (kind) {
    case attack::garbage:
      // No opcode, and no line that is JSON.
      for (int i = 0; i < 1'000; ++i) words += "\x7f\x7fGET / HTTP/1.1\r\n\r\n";
      return words;
    case attack::deaf:
    case attack::pipeline:
      // Of a game that it does not play.
      for (int i = 0; i < pipelined_moves; ++i) w.move(0, i % 9, words);
      return words;
    case attack::drip:
      w.move(0, 0, words);
      words.pop_back();
      return words;
  }
  return words;
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
  for (const auto each :
       {attack::deaf, attack::garbage, attack::pipeline, attack::drip})
    if (to_string(each) == word) return each;
  return {};
}

struct hostile_clients::client {
  int fd = -1;
  std::size_t said = 0;  // of the words
  int pauses = 0;
};

hostile_clients::hostile_clients(const wire& w, const connector& d, attack kind, int count)
    : connector_(d), kind_(kind), words_(words_of(w, kind)), thread_([this, count] { run(count); }) {}

hostile_clients::~hostile_clients() {
  stopped_ = true;
  thread_.join();
}

void hostile_clients::run(int count) {
  std::vector<client> clients(static_cast<std::size_t>(count));
  while (!stopped_) {
    for (auto& c : clients) attack(c);
    // What the socket takes at once, a thousand times a second, is more than any hub wants.
    std::this_thread::sleep_for(pause);
  }
  for (const auto& c : clients)
    if (c.fd >= 0) close(c.fd);
}

void hostile_clients::attack(client& c) {
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
  auto size = words_.size() - c.said;
  if (kind_ == attack::drip) {
    size = ++c.pauses % pauses_between_drips == 0 && size > 0 ? 1 : 0;
  }
  if (!closed && size > 0) {
    const auto n = send(c.fd, words_.data() + c.said, size, MSG_NOSIGNAL);
    if (n > 0) {
      bytes_ += static_cast<std::uint64_t>(n);
      c.said += static_cast<std::size_t>(n);
      if (c.said == words_.size() && kind_ != attack::drip) c.said = 0;
    }
    closed = n < 0 && errno != EAGAIN && errno != EINTR;
  }
  if (!closed) return;
  close(c.fd);
  c.fd = -1;
}

}  // namespace gamehub::app::bench
