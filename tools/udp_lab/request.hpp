// What `gamehub udp-lab` is asked for, and how its command line is read. Plain values; read once,
// on the program's only thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "hub/app/settings.hpp"
#include "hub/app/udp_lab/relay.hpp"

namespace gamehub::app::udp_lab {

// A host by name or address, and a port.
struct place {
  std::string host;
  std::uint16_t port = 0;

  friend bool operator==(const place&, const place&) = default;
};

// As it is written: HOST:PORT, an IPv6 address in brackets.
std::string to_string(const place&);

struct request {
  place listen{"127.0.0.1", 13'038};  // port 0: any free one
  place to{"127.0.0.1", 13'037};
  fault_rates faults;
  std::optional<std::uint64_t> seed;  // none: another one each time
};

// Requires: argv[0] is the program, and "udp-lab" follows. A mistake is a reply, too.
std::variant<request, reply> parse(int argc, const char* const* argv);

}  // namespace gamehub::app::udp_lab
