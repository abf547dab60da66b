#include "tests/system/udp_crowd.hpp"

#include <algorithm>
#include <poll.h>
#include <vector>

namespace gamehub::tests::system {

namespace {

using clock = std::chrono::steady_clock;

// No habit needs to be kept to the millisecond.
constexpr int look_milliseconds = 10;

void say(udp_socket& by, const std::string& bytes) {
  if (!bytes.empty()) by.send(bytes);
}

}  // namespace

void udp_crowd::add(std::uint16_t port, const std::string& name, const udp_habits& habits) {
  const auto seed = members_.size() + 1;
  members_.push_back({name, habits, udp_socket{port}, udp_client{habits, seed, clock::now()}});
}

std::size_t udp_crowd::play(std::chrono::milliseconds time) {
  std::vector<pollfd> sockets;
  for (const auto& each : members_) sockets.push_back({each.socket.descriptor(), POLLIN, 0});
  const auto are_gone = [&] {
    return std::count_if(members_.begin(), members_.end(),
                         [](const member& each) { return each.client.gone(); });
  };
  const auto all = static_cast<std::ptrdiff_t>(members_.size());
  for (const deadline until{time}; are_gone() < all && !until.over();) {
    for (auto& each : members_)
      if (!each.client.gone()) say(each.socket, each.client.advance(clock::now()));
    poll(sockets.data(), sockets.size(), look_milliseconds);
    for (auto& each : members_) hear(each);
  }
  return static_cast<std::size_t>(all - are_gone());
}

void udp_crowd::hear(member& who) {
  while (const auto datagram = who.socket.next_now())
    if (!datagram->empty()) say(who.socket, who.client.receive(datagram->front(), clock::now()));
}

}  // namespace gamehub::tests::system
