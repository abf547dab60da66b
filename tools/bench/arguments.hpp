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
#include "hub/app/bench/http_load.hpp"
#include "hub/app/bench/load.hpp"
#include "hub/app/bench/wire.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app::bench {

// What its wire asks of a load.
enum class load_kind : std::uint8_t { messages, requests, datagrams };

struct arguments {
  load_kind kind = load_kind::messages;
  const bench::wire* wire = nullptr;  // of messages
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  load_plan plan;
  bool streams = false;  // of requests: see http_plan
  bool blind = false;
  int rate = 0;
  bool sources = false;  // over UDP: one socket, an address of loopback for each player
  std::chrono::seconds warm_up{1};
  std::chrono::seconds seconds{10};
  std::optional<attack> hostile;
  int hostile_clients = 1;
  std::optional<pid_t> pid;                 // of the server; none: looked for
  std::optional<std::uint16_t> admin_port;  // none: the hub's own counts are not asked for
  bool json = false;
  bool quiet = false;

  std::string_view wire_name() const {
    return wire != nullptr ? wire->name() : kind == load_kind::requests ? "http" : "udp";
  }
};

// Requires: argv[0] is the verb. Throws operator_mistake. A reply is what --help prints.
std::variant<arguments, reply> read_arguments(int argc, const char* const* argv);

}  // namespace gamehub::app::bench
