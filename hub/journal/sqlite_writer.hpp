// The durable journal in a SQLite file: the class behind open_sqlite_journal(). Tests construct it
// with smaller bounds.
#pragma once

#include "hub/journal/log_writer.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "hub/journal/sqlite_store.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace gamehub::journal {

class sqlite_writer final : public log_writer {
 public:
  sqlite_writer(const sqlite_settings& s, const sqlite_tuning& t,
                std::function<void(std::string_view)> log_trouble)
      : log_writer(std::make_unique<sqlite_store>(s.file, s.safe_from, t, s.makes_folders), s, t,
                   std::move(log_trouble)) {}
};

}  // namespace gamehub::journal
