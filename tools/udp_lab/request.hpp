// The command line of `gamehub udp-lab`. Plain values; read once, on the program's only thread.
#pragma once

#include "hub/config/settings.hpp"
#include "tools/udp_lab/relay.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

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

// Requires: argv[0] is the program, and "udp-lab" follows. Returns an early_exit for help and
// for a mistake.
std::variant<request, config::early_exit> parse(int argc, const char* const* argv);

}  // namespace gamehub::tools::udp_lab
