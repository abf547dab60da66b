// The journal of a running hub, in a file, in a cluster's database or in memory as the settings
// say. Owned by the composition; any thread after construction.
#pragma once

#include "hub/config/settings.hpp"
#include "hub/journal/durable_journal.hpp"
#include "hub/server/cluster_journal.hpp"
#include "metrics/journal_numbers.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace gamehub::server {

class journal_service {
 public:
  // Opens the journal. Logs when writing fails and when it works again. Throws base::usage_error if
  // the file or the database can't be used.
  explicit journal_service(const config::settings&);

  // Returns the journal.
  journal::journal& log() {
    if (cluster_) return cluster_->log();
    return file_ ? *file_ : *memory_;
  }
  // Returns the journal in a cluster's database; null: it is not there.
  cluster_journal* cluster() { return cluster_.get(); }
  // Returns where the journal is, for people.
  std::string place() const;

  // True if the previous run on this file did not shut down.
  bool left_open() const;
  // Returns why the journal can't write now, or nothing if it can.
  std::optional<std::string> trouble() const;

  // Returns the state and counters for metrics.
  metrics::journal_numbers numbers() const;

 private:
  const journal::durable_journal* durable() const {
    return cluster_ ? &cluster_->log() : file_.get();
  }

  std::filesystem::path path_;  // of the file
  std::unique_ptr<journal::journal> memory_;
  std::unique_ptr<journal::durable_journal> file_;
  std::unique_ptr<cluster_journal> cluster_;
};

// Checks that the journal could be opened, and changes nothing. Throws base::usage_error.
void check_journal(const config::settings&);

}  // namespace gamehub::server
