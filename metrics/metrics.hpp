// What Prometheus reads: every metric of the hub by name, made from the loops' cells at the scrape.
// The composition owns one; it attaches the cells before the first scrape. After that text() and
// the marks may be called by any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "metrics/arena_numbers.hpp"
#include "metrics/cells.hpp"
#include "metrics/engine_numbers.hpp"
#include "metrics/journal_numbers.hpp"

namespace gamehub::metrics {

// What cells are numbered by, and what the build is called.
struct catalog {
  std::vector<std::string> engines;          // ids, those that are here from the start
  std::vector<std::string> wires;            // names, label "gateway"
  std::vector<std::string> protocol_errors;  // words for wire_cells::protocol_errors
  std::string version;
  std::string caf_version;
  std::vector<std::string> datagram_wires = {};  // those of `wires` that have datagram_cells
  std::vector<std::string> request_wires = {};   // those that have request_cells
  std::vector<std::string> routes = {};          // words for request_cells::answers
};

// Where engines think about moves, at the moment of a scrape.
struct thinking_numbers {
  std::size_t threads = 0, thinking = 0, waiting = 0;
};

class exposition {
 public:
  explicit exposition(catalog);
  ~exposition();

  // One more engine, numbered next. Any thread. Requires: the loops' cells have room for it.
  void add_engine(std::string id);

  // The cells of one more loop, numbered in this order. Requires: they are sized for the catalog
  // and outlive the exposition; nobody scrapes yet.
  void attach(const cells*);

  // Whom to ask about the journal at each scrape, by the thread that scrapes; without it there is
  // one in memory that is well. Requires: nobody scrapes yet.
  void attach_journal(std::function<journal_numbers()>);

  // The same of the threads that think; without it there are none.
  void attach_thinking(std::function<thinking_numbers()>);
  // The same for engines; without it none is slow or isolated.
  void attach_engines(std::function<engine_numbers()>);

  // The same for the arena; without it there are no bots.
  void attach_arena(std::function<arena_numbers()>);

  // Whether the hub takes players, and whether it is going down.
  void mark_ready(bool);
  void mark_draining(bool);
  // What became of the files in the folder of plugins.
  void mark_plugins(std::size_t loaded, std::size_t refused);

  // All metrics in Prometheus' text format, version 0.0.4.
  std::string text() const;

 private:
  class collector;
  std::unique_ptr<collector> collector_;
};

}  // namespace gamehub::metrics
