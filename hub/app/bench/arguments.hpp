// What `gamehub bench` is asked to do, and how it is read from the command line. The program reads
// it once at the start, on its only thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "hub/app/bench/hostile.hpp"
#include "hub/app/bench/load.hpp"
#include "hub/app/bench/wire.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app::bench {

struct arguments {
  const bench::wire* wire = nullptr;  // none: UDP
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  load_plan plan;
  bool sources = false;  // over UDP: one socket, an address of loopback for each player
  std::chrono::seconds warm_up{1};
  std::chrono::seconds seconds{10};
  std::optional<hostility> hostile;
  int hostile_clients = 1;
  std::optional<pid_t> pid;                 // of the server; none: looked for
  std::optional<std::uint16_t> admin_port;  // none: the hub's own counts are not asked for
  bool json = false;
  bool quiet = false;

  std::string_view wire_name() const { return wire == nullptr ? "udp" : wire->name(); }
};

// Requires: argv[0] is the verb. Throws operator_mistake. A reply is what --help prints.
std::variant<arguments, reply> read_arguments(int argc, const char* const* argv);

}  // namespace gamehub::app::bench
