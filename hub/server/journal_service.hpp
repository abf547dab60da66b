// The journal that a running hub keeps, as its settings want it: a file, or memory. Owned by the
// hub; what is wrong with the file is the operator's to mend. Any thread, once made.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "hub/app/settings.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "metrics/journal_numbers.hpp"

namespace gamehub::app {

class journal_service {
 public:
  // Opens it, and logs when it can't be written and when it can again. Throws operator_mistake.
  explicit journal_service(const settings&);

  journal::journal& log() { return file_ ? *file_ : *memory_; }

  // Why it can't be written just now; nothing: all is well.
  std::optional<std::string> trouble() const;

  // What it knows of itself for metrics.
  metrics::journal_numbers numbers() const;

 private:
  std::unique_ptr<journal::journal> memory_;
  std::unique_ptr<journal::sqlite_journal> file_;
};

// Finds what would be wrong with it, and changes nothing. Throws operator_mistake.
void check_journal(const settings&);

}  // namespace gamehub::app
