#include "hub/journal/sqlite_writer.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace gamehub::journal {

namespace {

// The batches must not fill a journal that is to stay small.
sqlite_tuning fitted(sqlite_tuning t, const sqlite_settings& s) {
  if (s.bytes_max != 0) t.redo_bytes_max = std::min(t.redo_bytes_max, s.bytes_max / 4);
  if (!t.now)
    t.now = [] {
      return std::chrono::time_point_cast<std::chrono::milliseconds>(
          std::chrono::system_clock::now());
    };
  return t;
}

const std::filesystem::path& placed(const std::filesystem::path& file) {
  make_place(file);
  return file;
}

}  // namespace

sqlite_writer::sqlite_writer(const sqlite_settings& settings, const sqlite_tuning& tuning,
                             std::function<void(std::string_view)> log_trouble)
    : settings_(settings),
      tuning_(fitted(tuning, settings)),
      log_trouble_(std::move(log_trouble)),
      buffer_(tuning_),
      lock_(placed(settings_.file)),
      store_(settings_.file, settings_.safe_from, tuning_.lock_max),
      reader_(settings_.file),
      mover_(settings_.file) {
  auto found = store_.open();
  buffer_.load(found.logs);
  suspicions_ = std::move(found.suspicions);
  committed_ = buffer_.pending().number - 1;
  report_.games_ended = found.ended;
  report_.games_quarantined = found.quarantined;
  report_.file_bytes = store_.bytes_used();
  thread_ = std::thread{[this] { run(); }};
}

sqlite_writer::~sqlite_writer() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  work_.notify_one();
  thread_.join();
}

void sqlite_writer::open(const game_header& header) {
  const std::lock_guard lock{mutex_};
  buffer_.open(header);
}

record_number sqlite_writer::append(game_id game, std::span<const record> added,
                                    commit_listener& listener) {
  const std::lock_guard lock{mutex_};
  const auto committed = buffer_.append(game, added, listener);
  pending_records_ += added.size();
  if (pending_records_ >= tuning_.pending_max) congested_.store(true, std::memory_order_relaxed);
  return committed;
}

void sqlite_writer::flush() {
  std::unique_lock lock{mutex_};
  if (flushed_ || buffer_.pending().empty()) return;
  wake(lock);
}

// The lock is given back before the other thread would have to wait for it.
void sqlite_writer::wake(std::unique_lock<std::mutex>& lock) {
  flushed_ = true;
  const auto sleeps = std::exchange(sleeping_, false);
  lock.unlock();
  if (sleeps) work_.notify_one();
}

std::optional<game_log> sqlite_writer::find(game_id game) const {
  std::optional<group_commit_buffer::committed_log> log;
  {
    const std::lock_guard lock{mutex_};
    log = buffer_.read(game);
  }
  return log ? log_of(log->bytes, log->records) : reader_.find_ended(game);
}

std::vector<game_id> sqlite_writer::ended_before(game_id before, std::size_t most) const {
  return reader_.ended_before(before, most);
}

void sqlite_writer::claim_games(game_id upto) {
  const std::lock_guard lock{mutex_};
  buffer_.claim(upto);
}

std::vector<record> sqlite_writer::read(game_id game, record_number after) const {
  std::optional<group_commit_buffer::committed_log> log;
  {
    const std::lock_guard lock{mutex_};
    log = buffer_.read(game);
  }
  return log ? records_of(log->bytes, log->records, after) : reader_.read(game, after);
}

std::vector<game_header> sqlite_writer::open_games() const {
  const std::lock_guard lock{mutex_};
  return buffer_.headers();
}

journal::numbers sqlite_writer::last_numbers() const {
  const std::lock_guard lock{mutex_};
  return buffer_.last();
}

wall_time sqlite_writer::last_written() const {
  const std::lock_guard lock{mutex_};
  return buffer_.last_written();
}

std::optional<std::string> sqlite_writer::trouble() const {
  const std::lock_guard lock{mutex_};
  return trouble_.empty() ? std::nullopt : std::optional{trouble_};
}

// The calls of the start and of operators: they wait for their transaction, unless there is
// trouble; then it comes when it can.
void sqlite_writer::write_now(std::unique_lock<std::mutex>& lock) {
  const auto mine = buffer_.pending().number;
  wake(lock);
  lock.lock();
  written_.wait(lock, [&] { return committed_ >= mine || !trouble_.empty(); });
}

void sqlite_writer::announce_replay(std::span<const game_id> games) {
  if (games.empty()) return;
  std::unique_lock lock{mutex_};
  buffer_.suspect(games, true);
  write_now(lock);
}

void sqlite_writer::replayed(std::span<const game_id> games) {
  if (games.empty()) return;
  std::unique_lock lock{mutex_};
  buffer_.suspect(games, false);
  for (const auto game : games) suspicions_.erase(game);
  write_now(lock);
}

int sqlite_writer::suspicions(game_id game) const {
  const std::lock_guard lock{mutex_};
  const auto at = suspicions_.find(game);
  return at == suspicions_.end() ? 0 : at->second;
}

void sqlite_writer::quarantine(game_id game, const std::string& why) {
  std::unique_lock lock{mutex_};
  if (!buffer_.quarantine(game, why)) return;
  const std::array safe{game};
  buffer_.suspect(safe, false);
  suspicions_.erase(game);
  write_now(lock);
}

sqlite_report sqlite_writer::report() const {
  const std::lock_guard lock{mutex_};
  auto r = report_;
  r.pending_records = pending_records_;
  r.games_open = buffer_.open_count();
  r.failures += mover_.failures();
  return r;
}

std::unique_ptr<sqlite_journal> open_sqlite_journal(
    const sqlite_settings& settings, std::function<void(std::string_view)> log_trouble) {
  try {
    return std::make_unique<sqlite_writer>(settings, sqlite_tuning{}, std::move(log_trouble));
  } catch (const sqlite::error& e) {
    throw unusable_file{why_unusable(settings.file, e)};
  }
}

}  // namespace gamehub::journal
