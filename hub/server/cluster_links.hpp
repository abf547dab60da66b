// The links of this hub to the others of its cluster: where they listen, to whom they lead, and
// what status and metrics say of them. The messages of the exchange cross them, and a link that
// breaks lets members notice sooner that a hub has died. Owned by the composition; any thread.
#pragma once

#include "actors/relay/exchange.hpp"
#include "hub/cluster/member_table.hpp"
#include "hub/config/settings.hpp"
#include "hub/link/net/links.hpp"
#include "metrics/link_numbers.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::server {

// The time that a hub which starts waits for its links before it accepts clients: their players and
// games may be at other hubs, and without links it would not find them. Members hear of a new one
// within 250 ms, the time between two heartbeats (hub/cluster/member_watch.hpp).
inline constexpr std::chrono::seconds links_up_within{2};

// A member as its links know it.
struct linked_member {
  std::string cluster;  // the id of the cluster
  cluster::member_id self;
  // Writes into its row where its links listen. Returns false if that is not certain.
  std::function<bool(const std::string& address)> publish;
};

class cluster_links {
 public:
  // Listens, and has the address published. `on_link` is called on the thread of the links when one
  // is up or broke; the exchange, which outlives it, gets the messages. Throws base::usage_error.
  // Requires: the settings have a link-port.
  cluster_links(const config::settings&, const linked_member&, actors::relay::exchange&,
                std::function<void(cluster::member_id, bool up)> on_link);

  std::uint16_t port() const { return links_.port(); }
  void start() { links_.start(); }
  // Waits until this hub can ask each other member that has links. Returns false if one can't be
  // asked after this time: it is paused, or of an earlier build. Waits no longer if `ends` returns
  // true.
  bool wait_for_all(std::chrono::milliseconds, const std::function<bool()>& ends) const;
  // Links lead to the members of these rows that live and have an address of links; none do if this
  // one does not live.
  void on_members(const std::vector<cluster::member_row>&);
  // Ends all links: this hub is not a member any more. on_members() must not be called after it.
  void stop() { links_.stop(); }

  // The message is written when flush() is called. Returns false if the link takes no more, or is
  // not there.
  bool send(cluster::member_id to, std::string message) {
    return links_.send(to, std::move(message));
  }
  void flush() { links_.flush(); }

  std::size_t unanswered_bytes(cluster::member_id to) const { return links_.unanswered_bytes(to); }

  std::vector<link::net::link_status> status() const { return links_.status(); }
  metrics::link_numbers numbers() const;

 private:
  const cluster::member_id self_;
  actors::relay::exchange& exchange_;
  // Other members that live and have no links.
  std::atomic<std::uint64_t> without_{0};
  // Other members that live and have links; -1: no heartbeat was answered yet.
  std::atomic<std::int64_t> peers_{-1};
  link::net::links links_;
};

// Checks that the files of the links can be used, and changes nothing. Throws base::usage_error.
void check_link_files(const config::settings&);

}  // namespace gamehub::server
