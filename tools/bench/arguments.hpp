// The command line of `gamehub bench`. Read once at start, on the program's only thread.
#pragma once

#include "hub/config/command_line.hpp"
#include "tools/bench/attack.hpp"
#include "tools/bench/http_load.hpp"
#include "tools/bench/load.hpp"
#include "tools/bench/wire.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace gamehub::tools::bench {

// The kind of load that a protocol needs.
enum class load_kind : std::uint8_t { messages, requests, datagrams };

struct arguments {
  load_kind kind = load_kind::messages;
  const tools::bench::wire* wire = nullptr;  // for messages
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::vector<std::uint16_t> more_ports;  // of other hubs of its cluster
  load_plan plan;
  bool streams = false;  // for requests: see http_plan
  bool blind = false;
  int rate = 0;
  bool sources = false;  // over UDP: one socket, and a loopback address for each player
  std::chrono::seconds warm_up{1};
  std::chrono::seconds seconds{10};
  std::optional<attack> hostile;
  int hostile_clients = 1;
  std::optional<pid_t> pid;                 // of the server; none: found by its port
  std::optional<std::uint16_t> admin_port;  // none: the hub's own counts are not read
  bool json = false;
  bool quiet = false;

  std::string_view wire_name() const {
    return wire != nullptr ? wire->name() : kind == load_kind::requests ? "http" : "udp";
  }
};

// Adds `bench` to a program.
void add_bench_verb(config::verb& to, std::function<int(const arguments&)> run);

}  // namespace gamehub::tools::bench
