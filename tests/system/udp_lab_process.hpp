// A running `gamehub udp-lab` on any free port before a UDP port of loopback. One thread.
#pragma once

#include "tests/system/program.hpp"

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::tests::system {

class udp_lab_process {
 public:
  // More flags, which stand over the usual ones: no delay. Throws std::runtime_error if it does not
  // get ready.
  explicit udp_lab_process(std::uint16_t to, std::vector<std::string> flags = {});

  std::uint16_t port() const { return port_; }
  const std::string& seed() const { return seed_; }

  // Ends it, and returns what it says of the datagrams.
  std::string end(int signal = SIGTERM);

 private:
  program process_;
  std::string ready_, seed_;
  std::uint16_t port_ = 0;
};

}  // namespace gamehub::tests::system
