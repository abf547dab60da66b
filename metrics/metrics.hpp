// What Prometheus reads: every metric of the hub by name, made from the loops' cells at the scrape.
// The composition owns one; it attaches the cells before the first scrape. After that text() and
// the two marks may be called by any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "metrics/cells.hpp"
#include "metrics/journal_numbers.hpp"

namespace gamehub::metrics {

// What cells are numbered by, and what the build is called.
struct catalog {
  std::vector<std::string> engines;          // ids
  std::vector<std::string> wires;            // names, label "gateway"
  std::vector<std::string> protocol_errors;  // words for wire_cells::protocol_errors
  std::string version;
  std::string caf_version;
};

class exposition {
 public:
  explicit exposition(catalog);
  ~exposition();

  // The cells of one more loop, numbered in this order. Requires: they are sized for the catalog
  // and outlive the exposition; nobody scrapes yet.
  void attach(const cells*);

  // Whom to ask about the journal at each scrape, by the thread that scrapes; without it there is
  // one in memory that is well. Requires: nobody scrapes yet.
  void attach_journal(std::function<journal_numbers()>);

  // Whether the hub takes players, and whether it is going down.
  void mark_ready(bool);
  void mark_draining(bool);

  // All metrics in Prometheus' text format, version 0.0.4.
  std::string text() const;

 private:
  class collector;
  std::unique_ptr<collector> collector_;
};

}  // namespace gamehub::metrics
