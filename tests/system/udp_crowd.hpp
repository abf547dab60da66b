// Clients of the UDP wire with the habits of real ones, each with its own socket, in real
// time. One thread.
#pragma once

#include "tests/support/udp_client.hpp"
#include "tests/system/udp_socket.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace gamehub::tests::system {

class udp_crowd {
 public:
  struct member {
    std::string name;
    udp_habits habits;
    udp_socket socket;
    udp_client client;
  };

  // One more, for that port. It says nothing yet.
  void add(std::uint16_t port, const std::string& name, const udp_habits&);

  // All play one game, until they are gone or the time is over. Returns how many are not gone.
  std::size_t play(std::chrono::milliseconds time);

  const std::deque<member>& members() const { return members_; }

 private:
  void hear(member&);

  std::deque<member> members_;
};

}  // namespace gamehub::tests::system
