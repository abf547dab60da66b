// Writes very many games that are asleep into the file of a journal that no hub has open, as the
// hub writes them (hub/journal/sleeper_rows.hpp), in one transaction without a journal: a failure
// leaves a damaged file. Its keys are written at the end, in their order, because each has its
// place.
#pragma once

#include "hub/journal/encoding.hpp"
#include "hub/journal/sleeper_rows.hpp"
#include "hub/journal/sqlite.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {

class sleepers_in_bulk {
 public:
  // Requires: the file has the tables.
  explicit sleepers_in_bulk(const std::filesystem::path& file)
      : db_(file, journal::sqlite::mode::write, std::chrono::seconds{1}) {
    // The hub sets the mode again.
    db_.run(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
        "PRAGMA cache_size=-262144; BEGIN IMMEDIATE");
    rows_ = journal::sleeper_rows{db_};
  }

  // Faster with rising ids.
  void add(const journal::game_header& header, std::span<const journal::record> records,
           const journal::sleep_entry& entry) {
    log_.clear();
    journal::append_encoded(header, log_);
    for (const auto& r : records) journal::append_encoded(r, log_);
    const auto hashes = rows_.add_game({header.id, records.size(), log_, &entry});
    rows_.for_each_key(hashes, header.id, [this](const auto& k) { keys_.push_back(k); });
  }

  void finish() {
    std::sort(keys_.begin(), keys_.end());
    for (const auto& k : keys_) rows_.add_key(k);
    db_.run("COMMIT");
  }

 private:
  journal::sqlite::database db_;
  journal::sleeper_rows rows_;
  std::vector<journal::sleeper_rows::key> keys_;
  std::string log_;
};

}  // namespace gamehub::tests
