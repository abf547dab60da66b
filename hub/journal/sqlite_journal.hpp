// The durable journal in one SQLite file in WAL mode, written by group commit. Records collect in
// memory while the writer thread commits the previous batch in one transaction, so that one
// transaction serves all games with moves meanwhile. README.md describes the file format, and the
// behaviour when the file can't be written. Owned by the composition; any thread.
#pragma once

#include "hub/core/durability.hpp"
#include "hub/journal/durable_journal.hpp"
#include "hub/journal/log_store.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace gamehub::journal {

// The file can't be used. The text is one sentence for the operator: the fault, the file, the
// remedy.
class unusable_file : public unusable_log {
 public:
  using unusable_log::unusable_log;
};

struct sqlite_settings : retention_settings {
  std::filesystem::path file;  // created if it does not exist
  bool makes_folders = true;   // with its folders
  durability safe_from = durability::process;
};

// Opens the file, migrates it to the current schema, locks it against other hubs, and reads the
// open games. `log_trouble` is called on the writer thread when trouble() begins (with its text)
// and when it ends (with an empty text). Throws unusable_file. Destroying the journal writes the
// pending records, if the file can be written.
std::unique_ptr<durable_journal> open_sqlite_journal(
    const sqlite_settings&, std::function<void(std::string_view)> log_trouble);

}  // namespace gamehub::journal
