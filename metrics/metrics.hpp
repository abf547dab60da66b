// The Prometheus exposition: all metrics of the hub by name, collected from the loops' cells at
// each scrape. hub/server owns one and attaches the cells before the first scrape. After that any
// thread may call text() and the mark functions.
#pragma once

#include "hub/core/address_ledger.hpp"
#include "metrics/admin_numbers.hpp"
#include "metrics/arena_numbers.hpp"
#include "metrics/cells.hpp"
#include "metrics/cluster_numbers.hpp"
#include "metrics/engine_numbers.hpp"
#include "metrics/journal_numbers.hpp"
#include "metrics/link_numbers.hpp"
#include "metrics/webhook_numbers.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::metrics {

// The names of the cells' numbers, and of the build.
struct catalog {
  std::vector<std::string> engines;          // ids of the engines at start
  std::vector<std::string> wires;            // names, label "gateway"
  std::vector<std::string> protocol_errors;  // labels of wire_cells::protocol_errors
  std::string version;
  std::string caf_version;
  std::vector<std::string> datagram_wires = {};  // names of `wires` with datagram_cells
  std::vector<std::string> request_wires = {};   // names of `wires` with request_cells
  std::vector<std::string> routes = {};          // labels of request_cells::answers
};

// The state of the search pool at a scrape.
struct thinking_numbers {
  std::size_t threads = 0, thinking = 0, waiting = 0;
};

class exposition {
 public:
  explicit exposition(catalog);
  ~exposition();

  // Adds an engine with the next number. Any thread. Requires: the loops' cells have room for it.
  void add_engine(std::string id);

  // Adds the cells of a loop, numbered in order. Requires: they match the catalog and outlive this
  // object; no scrape has started.
  void attach(const cells*);

  // Sets the source of the journal's numbers, called on the scraping thread. Without it, the
  // journal is in memory and ok. Requires: no scrape has started.
  void attach_journal(std::function<journal_numbers()>);

  // Sets the source of the numbers of addresses; without it they are zero. It outlives this object.
  void attach_addresses(const address_ledger&);

  // Sets the source of the search pool's numbers; without it all are zero.
  void attach_thinking(std::function<thinking_numbers()>);
  // Sets the source of the engines' numbers; without it no engine is slow or isolated.
  void attach_engines(std::function<engine_numbers()>);

  // Sets the source of the admin server's numbers; without it all are zero.
  void attach_admin(std::function<admin_numbers()>);

  // Sets the source of the league's numbers; without it there are no bots.
  void attach_arena(std::function<arena_numbers()>);
  // Set the sources of the numbers of the cluster and of its links; without them these metrics have
  // no samples.
  void attach_cluster(std::function<cluster_numbers()>);
  void attach_links(std::function<link_numbers()>);
  // Sets the source of the numbers of webhooks; without it these metrics have no samples.
  void attach_webhooks(std::function<webhook_numbers()>);

  // Set whether the hub accepts players, and whether it is stopping.
  void mark_ready(bool);
  void mark_draining(bool);
  // Sets the numbers of loaded and refused plugin files.
  void mark_plugins(std::size_t loaded, std::size_t refused);

  // Returns all metrics in Prometheus' text format, version 0.0.4.
  std::string text() const;

 private:
  class collector;
  std::unique_ptr<collector> collector_;
};

}  // namespace gamehub::metrics
