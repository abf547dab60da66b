#include "hub/server/journal_service.hpp"

#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/archive.hpp"

#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/file.h>
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

journal::sqlite_settings file_settings_of(const config::settings& s) {
  journal::sqlite_settings out;
  out.file = s.journal_file;
  out.safe_from = s.durability;
  out.keep = std::chrono::days{s.keep_days};
  out.bytes_max = s.journal_mib_max * 1024 * 1024;
  out.on_deleted = log_deleted_games;
  out.on_clock_jump = log_clock_jump;
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

// Returns true if another hub holds the lock beside the file. Releases its own lock at once.
bool is_in_use(fs::path file) {
  file += ".lock";
  const auto descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const auto free = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  close(descriptor);
  return !free;
}

}  // namespace

journal_service::journal_service(const config::settings& s) {
  if (s.journal_in == config::journal_kind::memory) {
    memory_ = journal::make_memory_journal(limits::memory_journal_ended_kept);
    return;
  }
  try {
    file_ = journal::open_sqlite_journal(file_settings_of(s), log_journal_trouble);
    if (file_->left_open())
      base::log::warning("the previous run did not shut down; it crashed or was killed",
                         {{"journal", s.journal_file.string()}});
  } catch (const journal::unusable_file& unusable) {
    throw base::usage_error{unusable.what()};
  }
}

std::optional<std::string> journal_service::trouble() const {
  return file_ ? file_->trouble() : memory_->trouble();
}

metrics::journal_numbers journal_service::numbers() const {
  metrics::journal_numbers out;
  out.ok = !trouble();
  if (!file_) return out;
  const auto now = file_->report();
  auto& to = out.file.emplace();
  to.transactions = now.transactions;
  to.records = now.records;
  to.bytes_written = now.bytes_written;
  to.failures = now.failures;
  to.games_deleted = now.games_deleted;
  to.pending_records = now.pending_records;
  to.games_open = now.games_open;
  to.games_ended = now.games_ended;
  to.games_quarantined = now.games_quarantined;
  to.file_bytes = now.file_bytes;
  to.writing = now.writing;
  to.writing_max = now.writing_max;
  return out;
}

void check_journal(const config::settings& s) {
  if (s.journal_in == config::journal_kind::memory) return;
  const auto& file = s.journal_file;
  const auto folder = nearest_folder(file);
  if (!fs::is_directory(folder) || !may(folder, W_OK | X_OK))
    throw base::usage_error{"the journal " + file.string() + " needs files in " + folder.string() +
                            ", where this account may not write: allow that, or give --journal "
                            "another place"};
  if (!fs::exists(file)) return;
  if (!may(file, W_OK))
    throw base::usage_error{"the journal " + file.string() +
                            " may not be written by this account: allow that, or give --journal "
                            "another place"};
  if (is_in_use(file))
    throw base::usage_error{"the journal " + file.string() +
                            " is in use by another hub: stop that one, or give --journal another "
                            "place"};
  try {
    journal::open_archive(file, journal::access::read);
  } catch (const journal::unusable_file& unusable) {
    throw base::usage_error{unusable.what()};
  }
}

}  // namespace gamehub::server
