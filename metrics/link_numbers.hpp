// The numbers of a hub's links to the others of its cluster for Prometheus. The owner of the links
// provides them at each scrape. Values; used on the scraping thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

struct link_numbers {
  std::uint64_t up = 0;      // members to which both connections are up
  std::uint64_t wanted = 0;  // other members that live
  std::uint64_t breaks = 0;
  std::uint64_t sent_messages = 0, received_messages = 0;
  std::uint64_t sent_bytes = 0, received_bytes = 0;
  std::uint64_t repeated = 0, dropped = 0;
  std::uint64_t hubs = 0;  // that can be asked for players
  // Clients of this hub whose player is at another one, and the other way round.
  std::uint64_t entries = 0, homes = 0;
  std::uint64_t questions = 0;  // for players of this hub, that others have not answered
  std::uint64_t moves = 0;      // of players to another hub
  std::uint64_t returned = 0;   // clients that went on after the end of their home
  // Requests over HTTP of clients whose player or game is at another hub, and those of other hubs.
  std::uint64_t web_passed = 0, web_answered = 0;
  // Games of other hubs that are watched here, and games of this hub by other hubs that watch them.
  std::uint64_t watched_there = 0, watched_here = 0;
  std::uint64_t watches_refused = 0;  // that hub watched too many
  // Orders of operators that this hub passed to another one, and that it answered for others.
  std::uint64_t orders_passed = 0, orders_answered = 0;
  // What other hubs had too much of, by kind, all of them.
  std::vector<std::pair<std::string, std::uint64_t>> demands_refused = {};
  std::uint64_t unsent = 0;  // messages for which a link had no room, or too long ones
  std::uint64_t wrong = 0;   // messages that could not be read
  std::vector<std::pair<std::string, std::uint64_t>> refused;  // by reason, all of them
};

// Appends the metrics of links. Without links they have no samples.
void collect_links(const std::optional<link_numbers>&, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
