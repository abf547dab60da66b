// `gamehub udp-lab`. On the program's only thread.
#pragma once

#include "hub/config/command_line.hpp"
#include "tools/udp_lab/relay.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace gamehub::tools::udp_lab {

// A host by name or address, and a port.
struct place {
  std::string host;
  std::uint16_t port = 0;

  friend bool operator==(const place&, const place&) = default;
};

// HOST:PORT, an IPv6 address in brackets.
std::string to_string(const place&);

struct request {
  place listen{"127.0.0.1", 13'038};  // port 0: any free port
  place to{"127.0.0.1", 13'037};
  fault_rates faults;
  std::optional<std::uint64_t> seed;  // none: a random one
};

// Adds `udp-lab` to a program.
void add_udp_lab_verb(config::verb& to, std::function<int(const request&)> run);

// Prints a ready line, relays datagrams until SIGTERM or SIGINT, and prints their counts. Returns
// the program's exit code. Throws usage_error.
int carry_out(const request&);

}  // namespace gamehub::tools::udp_lab
