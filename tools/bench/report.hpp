// What one run of the bench found, as a text for people and as JSON for scripts. Plain values, any
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "hub/app/bench/ledger.hpp"

namespace gamehub::app::bench {

struct figures {
  std::string wire, where;
  int games = 0, connections = 0;
  int streams = 0;  // of updates, over HTTP
  bool fresh = false, idle = false;

  double opening_seconds = 0;       // until all games had begun
  double seconds = 0;               // that were measured
  std::uint64_t games_running = 0;  // at the end of them
  std::uint64_t games_played = 0, moves = 0, moves_timed = 0;
  std::uint64_t walkovers = 0;
  double p50_us = 0, p99_us = 0, p999_us = 0, most_us = 0;
  double load_cpu_seconds = 0;  // of the load's own thread

  // Of the server's process, if it could be looked at.
  struct server {
    std::int64_t pid = 0;
    double cpu_seconds = 0;
    std::uint64_t resident_kib_before = 0, resident_kib = 0;
    std::uint64_t descriptors_before = 0, descriptors = 0;
  };
  std::optional<struct server> server;

  // Over HTTP: that were answered.
  std::optional<std::uint64_t> requests;

  // Over UDP: from the load, to it, and those of the first that were said again.
  struct datagrams {
    std::uint64_t sent = 0, received = 0, repeated = 0;
  };
  std::optional<struct datagrams> datagrams;

  struct hostile {
    std::string kind;
    int clients = 0;
    std::uint64_t connections = 0, bytes = 0;
  };
  std::optional<struct hostile> hostile;

  // What the hub counted from before the run to after it.
  std::optional<bench::ledger> ledger;

  std::uint64_t errors = 0;
  std::map<std::string, std::uint64_t, std::less<>> errors_by_text;

  double per_second(std::uint64_t n) const {
    return seconds > 0 ? static_cast<double>(n) / seconds : 0;
  }
  // Server CPU per move; nothing without moves or a server to look at.
  std::optional<double> server_us_per_move() const;
  // Server CPU per request; nothing without requests or a server to look at.
  std::optional<double> server_us_per_request() const;
  // Server CPU per datagram that it sent; nothing without datagrams or a server to look at.
  std::optional<double> server_us_per_datagram() const;
  // Growth of the server's memory; nothing without games or a server to look at.
  std::optional<double> kib_per_game() const;
  // The same for each stream: its player and half a game are in it.
  std::optional<double> kib_per_stream() const;
  bool passed() const { return errors == 0 && (!ledger || ledger->balanced()); }
};

// Several lines, each with its end.
std::string text(const figures&);

// One JSON object in one line, with its end.
std::string json(const figures&);

}  // namespace gamehub::app::bench
