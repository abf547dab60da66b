// The state of a running hub: the document of GET /status.json, which `gamehub status` prints. The
// server fills it in, the operator's verb reads it. Plain values and functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::admin {

// A file in the folder of plugins.
struct plugin_state {
  std::string file;
  std::string engine, version;  // empty: it was refused
  std::string why;              // of the refusal
};

struct hub_status {
  // A hub of the same cluster, as this one sees it.
  struct member {
    std::uint64_t id = 0;
    std::string address, version;
    std::string state;  // here, alive, silent, left or adopted
    std::int64_t games = 0;
    double beat_seconds_ago = 0;   // 0: it has no heartbeats any more
    std::uint64_t adopted_by = 0;  // 0: no other one
    std::string link = {};         // where its links listen; empty: it has none
    // Whether the connections of the link between this hub and it are up: the one that this hub
    // made, and the one that it made.
    bool link_out = false, link_in = false;
    std::string link_why = {};  // why the link broke last
  };
  struct wire {
    std::string name;
    std::int64_t players = 0, connections = 0;
  };
  struct loop {
    double busy_seconds = 0;  // time since the start that it did not wait
    std::int64_t players = 0, connections = 0;
  };

  std::string version = "of unknown version";
  double up_seconds = 0;
  bool ready = false;
  std::string why;                   // why the hub is not ready; empty: it is ready
  std::vector<std::string> failing;  // one sentence for each stuck loop
  std::int64_t games_running = 0, games_ended = 0, games_failed = 0;
  std::int64_t players_here = 0, players_waiting = 0;
  std::int64_t moves_accepted = 0, moves_refused = 0;
  std::int64_t bots_online = 0, bot_games_running = 0, bot_games_waiting = 0;
  bool league_ok = false;
  bool journal_ok = false;
  std::int64_t journal_pending_records = 0;
  std::int64_t journal_file_bytes = 0;  // in use; 0: the journal is in memory
  std::size_t loops = 0;
  double busiest = 0;  // share of the time since the start that the busiest loop did not wait
  std::int64_t resident_memory_bytes = 0;
  std::vector<wire> wires;  // by name
  std::vector<loop> each_loop;
  std::vector<plugin_state> plugins;  // by file
  std::vector<member> cluster;        // by id; empty: there is no cluster
};

// Returns the status as a page for people.
std::string text_of(const hub_status&);

// Returns the cluster's part as a table for people, and as one line of JSON.
std::string cluster_text_of(const hub_status&);
std::string cluster_json_of(const hub_status&);

// Returns the status as one line of JSON.
std::string json_of(const hub_status&);

// Reads what json_of() wrote. A missing member keeps its default. Returns nothing if the text is
// not a JSON object, or if a member has another type.
std::optional<hub_status> read_status(std::string_view json);

}  // namespace gamehub::admin
