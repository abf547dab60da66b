// The journal of a running hub, in a file or in memory as the settings say. Owned by the
// composition; any thread after construction.
#pragma once

#include "hub/config/settings.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "metrics/journal_numbers.hpp"

#include <memory>
#include <optional>
#include <string>

namespace gamehub::server {

class journal_service {
 public:
  // Opens the journal. Logs when writing fails and when it works again. Throws config::usage_error
  // if the file can't be used.
  explicit journal_service(const config::settings&);

  // Returns the journal.
  journal::journal& log() { return file_ ? *file_ : *memory_; }

  // Returns why the journal can't write now, or nothing if it can.
  std::optional<std::string> trouble() const;

  // Returns the state and counters for metrics.
  metrics::journal_numbers numbers() const;

 private:
  std::unique_ptr<journal::journal> memory_;
  std::unique_ptr<journal::sqlite_journal> file_;
};

// Checks that the journal could be opened, and changes nothing. Throws config::usage_error.
void check_journal(const config::settings&);

}  // namespace gamehub::server
