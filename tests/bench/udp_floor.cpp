#include "tests/bench/udp_floor.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unordered_map>

namespace gamehub::tests::bench {
namespace {

constexpr bool has_line(unsigned marks) {
  for (const unsigned line : {0007U, 0070U, 0700U, 0111U, 0222U, 0444U, 0421U, 0124U})
    if ((marks & line) == line) return true;
  return false;
}

// A game without clocks: what gets lost, only the client says again.
class game {
 public:
  // The answer to a byte; 0: none.
  char hear(char in) {
    if ((in == 'A' || in == 'B') && used() == 0) return say(in, in == 'A' ? any_move : 'E');
    if (expected_ == any_move && in >= '0' && in <= '8') {
      if (!take(in - '0')) return say('I', 'I');
      return say(in, 'E');
    }
    // A late copy of what was answered already.
    if (in != expected_) return in == said_ ? said_ : '\0';
    switch (in) {
      case 'I': return say('W', any_move);
      case 'E': return answer();
      case 'C':
      case 'D':
      case 'S': return 'Q';
      default: return take_own();
    }
  }

 private:
  static constexpr char any_move = 'm';

  unsigned used() const { return marks_[0] | marks_[1]; }
  unsigned& mover() { return marks_[static_cast<std::size_t>(std::popcount(used()) & 1)]; }
  bool take(int cell) {
    if (((used() >> cell) & 1U) != 0) return false;
    mover() |= 1U << cell;
    return true;
  }

  char say(char out, char expected) {
    said_ = out;
    expected_ = expected;
    return out;
  }

  char answer() {
    if (used() == 0777 && !has_line(marks_[0]) && !has_line(marks_[1])) return say('D', 'D');
    if (has_line(marks_[0]) || has_line(marks_[1])) return say('C', 'C');
    const auto cell = choose();
    own_ = static_cast<char>('0' + cell);
    return say(own_, own_);
  }

  // The client has repeated its move.
  char take_own() {
    take(own_ - '0');
    if (has_line(marks_[0]) || has_line(marks_[1])) return say('S', 'S');
    return used() == 0777 ? say('D', 'D') : say('E', any_move);
  }

  // Wins if it can, keeps the other from winning, and else takes the best cell that is free.
  int choose() {
    const auto side = static_cast<std::size_t>(std::popcount(used()) & 1);
    for (const auto who : {side, side ^ 1})
      for (int cell = 0; cell < 9; ++cell)
        if (((used() >> cell) & 1U) == 0 && has_line(marks_[who] | 1U << cell)) return cell;
    for (const int cell : {4, 0, 2, 6, 8, 1, 3, 5, 7})
      if (((used() >> cell) & 1U) == 0) return cell;
    return 0;
  }

  unsigned marks_[2] = {0, 0};
  char said_ = 0;
  char expected_ = 0;
  char own_ = 0;
};

}  // namespace

int run_udp_floor(std::uint16_t port) {
  const auto fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  constexpr int buffer_bytes = 4 * 1024 * 1024;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (bind(fd, reinterpret_cast<const sockaddr*>(&at), size) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    std::cerr << "floor: can't listen on port " << port << ": " << std::strerror(errno) << '\n';
    return 2;
  }
  std::cout << "ready " << ntohs(at.sin_port) << std::endl;
  std::unordered_map<std::uint64_t, game> games;
  for (;;) {
    sockaddr_in from{};
    socklen_t from_size = sizeof from;
    char byte = 0;
    if (recvfrom(fd, &byte, 1, 0, reinterpret_cast<sockaddr*>(&from), &from_size) != 1) continue;
    const auto key = static_cast<std::uint64_t>(from.sin_addr.s_addr) << 16U | from.sin_port;
    const auto out = games[key].hear(byte);
    if (out == 'Q') games.erase(key);
    if (out != 0) sendto(fd, &out, 1, 0, reinterpret_cast<const sockaddr*>(&from), from_size);
  }
}

}  // namespace gamehub::tests::bench
