#include "hub/server/journal_service.hpp"

#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/archive.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_journal.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace gamehub::server {
namespace {

namespace fs = std::filesystem;

// Called on the journal's thread, as the next two.
void log_deleted_games(std::uint64_t games, bool by_size) {
  base::log::info("ended games were deleted",
                  {{"games", games}, {"why", by_size ? "journal-mib-max" : "keep-days"}});
}

void log_clock_jump(std::chrono::milliseconds jump) {
  base::log::warning("the clock jumped; for a day no game is deleted because of its age",
                     {{"seconds", std::chrono::duration<double>{jump}.count()}});
}

journal::retention_settings retention_of(const config::settings& s) {
  journal::retention_settings out;
  out.keep = std::chrono::days{s.keep_days};
  out.on_deleted = log_deleted_games;
  out.on_clock_jump = log_clock_jump;
  return out;
}

journal::sqlite_settings file_settings_of(const config::settings& s) {
  journal::sqlite_settings out;
  static_cast<journal::retention_settings&>(out) = retention_of(s);
  out.bytes_max = s.journal_mib_max * 1024 * 1024;
  out.file = s.journal_file;
  out.makes_folders = s.journal_by_default;
  out.safe_from = s.durability;
  return out;
}

void log_journal_trouble(std::string_view why) {
  if (why.empty())
    base::log::warning("the journal can write again");
  else
    base::log::warning("journal write failed; new games are refused until a write succeeds",
                       {{"why", why}});
}

bool may(const fs::path& path, int mode) { return access(path.c_str(), mode) == 0; }

// Returns the existing folder in which the file or its folders would be created.
fs::path nearest_folder(const fs::path& file) {
  auto folder = fs::absolute(file).parent_path();
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

// Throws usage_error if this account can't have a file there.
void check_place(const config::settings& s) {
  const auto& file = s.journal_file;
  const auto folder = nearest_folder(file);
  std::error_code unknown;
  if (!s.journal_by_default && folder != fs::absolute(file).parent_path() && may(folder, X_OK))
    throw base::usage_error{"the journal " + file.string() + " has no folder " +
                            fs::absolute(file).parent_path().string() +
                            ": make it, or give --journal another place"};
  if (!fs::is_directory(folder, unknown) || !may(folder, W_OK | X_OK))
    throw base::usage_error{"the journal " + file.string() + " needs files in " + folder.string() +
                            ", where this account may not write: allow that, or give --journal "
                            "another place"};
}

}  // namespace

journal_service::journal_service(const config::settings& s) : path_(s.journal_file) {
  if (!s.cluster.empty()) {
    // A database has no size that falls when games are deleted, so only their age limits it.
    cluster_ = std::make_unique<cluster_journal>(s, retention_of(s), log_journal_trouble);
    return;
  }
  if (s.journal_in == config::journal_kind::memory) {
    memory_ = journal::make_memory_journal(limits::memory_journal_ended_kept);
    return;
  }
  check_place(s);
  try {
    file_ = journal::open_sqlite_journal(file_settings_of(s), log_journal_trouble);
  } catch (const journal::unusable_file& unusable) {
    throw base::usage_error{unusable.what()};
  }
}

bool journal_service::left_open() const { return file_ && file_->left_open(); }

std::string journal_service::place() const {
  if (cluster_) return cluster_->place();
  return file_ ? path_.string() : "memory";
}

std::optional<std::string> journal_service::trouble() const {
  const auto* const saved = durable();
  return saved != nullptr ? saved->trouble() : memory_->trouble();
}

metrics::journal_numbers journal_service::numbers() const {
  metrics::journal_numbers out;
  out.ok = !trouble();
  const auto* const saved = durable();
  if (saved == nullptr) return out;
  const auto now = saved->report();
  auto& to = out.file.emplace();
  to.transactions = now.transactions;
  to.records = now.records;
  to.bytes_written = now.bytes_written;
  to.failures = now.failures;
  to.appends_unknown = now.appends_unknown;
  to.appends_conflicting = now.appends_conflicting;
  to.fenced = now.fenced;
  to.games_deleted = now.games_deleted;
  to.pending_records = now.pending_records;
  to.reads_refused = now.reads_refused;
  to.games_open = now.games_open;
  to.games_ended = now.games_ended;
  to.games_quarantined = now.games_quarantined;
  to.file_bytes = now.file_bytes;
  to.writing = now.writing;
  to.writing_max = now.writing_max;
  return out;
}

void check_journal(const config::settings& s) {
  if (!s.cluster.empty()) return check_cluster(s);
  if (s.journal_in == config::journal_kind::memory) return;
  check_place(s);
  const auto& file = s.journal_file;
  std::error_code unknown;
  if (!fs::exists(file, unknown)) return;
  if (!may(file, W_OK))
    throw base::usage_error{"the journal " + file.string() +
                            " may not be written by this account: allow that, or give --journal "
                            "another place"};
  if (const auto why = journal::why_locked(file); !why.empty())
    throw base::usage_error{"the journal " + file.string() + ' ' + why +
                            ": stop that one, or give --journal another place"};
  try {
    journal::open_archive(file, journal::access::read);
  } catch (const journal::unusable_file& unusable) {
    throw base::usage_error{unusable.what()};
  }
}

}  // namespace gamehub::server
