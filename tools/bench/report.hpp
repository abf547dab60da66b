// The results of one run of the bench, as text and as JSON. Plain values, any thread.
#pragma once

#include "tools/bench/server_counters.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gamehub::tools::bench {

struct figures {
  std::string wire, where;
  int games = 0, connections = 0;
  int streams = 0;  // update streams, over HTTP
  bool fresh = false, idle = false;

  double opening_seconds = 0;       // until all games had begun
  double opening_most_us = 0;       // over UDP: the slowest answer in this time
  double seconds = 0;               // measured time
  std::uint64_t games_running = 0;  // at its end
  std::uint64_t games_played = 0, moves = 0, moves_timed = 0;
  std::uint64_t walkovers = 0;
  double p50_us = 0, p99_us = 0, p999_us = 0, most_us = 0;

  // From asking for a game to its first message, of clients of one game at a time.
  struct starts {
    std::uint64_t count = 0;
    double p50_us = 0, p99_us = 0, most_us = 0;
  };
  struct starts starts;

  double load_cpu_seconds = 0;  // of the load's own thread

  // The server's process, if its state is readable.
  struct server {
    std::int64_t pid = 0;
    double cpu_seconds = 0;
    std::uint64_t resident_kib_before = 0, resident_kib = 0;
    std::uint64_t descriptors_before = 0, descriptors = 0;
  };
  std::optional<struct server> server;

  // Over HTTP: answered requests.
  std::optional<std::uint64_t> requests;

  // Over UDP: from the load, to the load, and repeated by the load.
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

  // The hub's own counts of the run, and its running games at the end of the measured time.
  std::optional<server_counters> counters;
  std::int64_t running_at_hub = 0;

  std::uint64_t errors = 0;
  std::map<std::string, std::uint64_t, std::less<>> errors_by_text;

  double per_second(std::uint64_t n) const {
    return seconds > 0 ? static_cast<double>(n) / seconds : 0;
  }
  // Server CPU per move; nothing without moves or a readable server.
  std::optional<double> server_us_per_move() const;
  // Server CPU per request; nothing without requests or a readable server.
  std::optional<double> server_us_per_request() const;
  // Server CPU per datagram that it sent; nothing without datagrams or a readable server.
  std::optional<double> server_us_per_datagram() const;
  // Growth of the server's memory; nothing without games or a readable server.
  std::optional<double> kib_per_game() const;
  // The same per stream, including its player and half a game.
  std::optional<double> kib_per_stream() const;
  // The hub may have ended games whose players wait for nothing.
  bool games_left_early() const {
    return counters && idle && running_at_hub < static_cast<std::int64_t>(games_running);
  }
  bool passed() const {
    return errors == 0 && (!counters || counters->balanced()) && !games_left_early();
  }
};

// Several lines, each with a line end.
std::string text(const figures&);

// One JSON object in one line, with a line end.
std::string json(const figures&);

}  // namespace gamehub::tools::bench
