#include "hub/journal/sqlite_writer.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace gamehub::journal {

namespace {

using clock = std::chrono::steady_clock;

// Transactions between two checks of the file's size.
constexpr std::uint64_t transactions_per_check = 256;

// The time between two reports of deleted games.
constexpr std::chrono::minutes report_pause{1};

// Limits the retained batches to a quarter of a journal that has a maximum size.
sqlite_tuning limited(sqlite_tuning t, const sqlite_settings& s) {
  if (s.bytes_max != 0) t.redo_bytes_max = std::min(t.redo_bytes_max, s.bytes_max / 4);
  if (!t.now)
    t.now = [] {
      return std::chrono::time_point_cast<std::chrono::milliseconds>(
          std::chrono::system_clock::now());
    };
  if (!t.steady_now) t.steady_now = [] { return clock::now(); };
  return t;
}

const std::filesystem::path& created(const std::filesystem::path& file) {
  make_place(file);
  return file;
}

}  // namespace

sqlite_writer::sqlite_writer(const sqlite_settings& settings, const sqlite_tuning& tuning,
                             std::function<void(std::string_view)> log_trouble)
    : settings_(settings),
      tuning_(limited(tuning, settings)),
      log_trouble_(std::move(log_trouble)),
      buffer_(tuning_),
      lock_(created(settings_.file)),
      store_(settings_.file, settings_.safe_from, tuning_.lock_max),
      reader_(settings_.file),
      checkpointer_(settings_.file) {
  auto found = store_.open();
  buffer_.load(found.logs);
  clock_watch_ = clock_watch{buffer_.last_written()};
  check_clock();  // from now on a jump is seen
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
  report_deleted(true);
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

// The lock is released before the notification, so that the writer does not wait for it.
void sqlite_writer::wake(std::unique_lock<std::mutex>& lock) {
  flushed_ = true;
  const auto was_sleeping = std::exchange(sleeping_, false);
  lock.unlock();
  if (was_sleeping) work_.notify_one();
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

base::wall_time sqlite_writer::last_written() const {
  const std::lock_guard lock{mutex_};
  return buffer_.last_written();
}

std::optional<std::string> sqlite_writer::trouble() const {
  const std::lock_guard lock{mutex_};
  return trouble_.empty() ? std::nullopt : std::optional{trouble_};
}

// For calls of the start and of operators: waits for the transaction. While the journal can't
// write, it returns at once, and the transaction follows later.
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
  r.failures += checkpointer_.failures();
  return r;
}

void sqlite_writer::run() {
  std::unique_lock lock{mutex_};
  for (;;) {
    wait_for_work(lock);
    if (buffer_.pending().empty()) {
      if (stopping_) return;
      lock.unlock();
      maintain(true);
      lock.lock();
      continue;
    }
    flushed_ = false;
    writing_.clear();
    buffer_.take(writing_);
    lock.unlock();
    const auto done = write_until_done();
    if (!done) return;
    finish_commit();
    maintain(false);
    lock.lock();
  }
}

// A flush during a write is served by the next batch. Without a flush the writer waits, so that one
// iteration of a loop makes one transaction and not many.
void sqlite_writer::wait_for_work(std::unique_lock<std::mutex>& lock) {
  if (flushed_ || stopping_) return;
  sleeping_ = true;
  const auto pause =
      deleting_ == deletion::by_size ? tuning_.deletion_pause : tuning_.unflushed_max;
  work_.wait_for(lock, pause, [this] { return flushed_ || stopping_; });
  sleeping_ = false;
}

bool sqlite_writer::write_until_done() {
  row_.clear();
  append_row(writing_, row_);
  auto pause = tuning_.retry_min;
  for (auto again = false;; again = true) {
    bool last_try = false;
    {
      const std::lock_guard lock{mutex_};
      last_try = stopping_;
    }
    if (try_to_write(again)) return true;
    if (last_try) return false;
    std::unique_lock lock{mutex_};
    work_.wait_for(lock, pause, [this] { return stopping_; });
    pause = std::min(2 * pause, tuning_.retry_max);
  }
}

bool sqlite_writer::try_to_write(bool again) {
  const auto begun = clock::now();
  try {
    if (!again || !store_.has_after_failure(writing_.number)) store_.write(writing_, row_);
  } catch (const sqlite::error& e) {
    begin_trouble(why_waiting(settings_.file, e));
    // On a full disk an emptied write-ahead log reuses the space that it has.
    if (e.kind() == sqlite::sqlite_error_kind::full) empty_log();
    return false;
  } catch (const std::exception& e) {
    begin_trouble("The journal can't write to " + settings_.file.string() + " (" + e.what() +
                  "). Nothing is lost: what players do waits for it.");
    return false;
  }
  const auto took = clock::now() - begun;
  const std::lock_guard lock{mutex_};
  report_.writing += took;
  report_.writing_max = std::max(report_.writing_max, std::chrono::nanoseconds{took});
  return true;
}

void sqlite_writer::begin_trouble(const std::string& text) {
  bool begins = false;
  {
    const std::lock_guard lock{mutex_};
    ++report_.failures;
    begins = trouble_.empty();
    trouble_ = text;
  }
  written_.notify_all();
  if (begins && log_trouble_) log_trouble_(text);
}

void sqlite_writer::end_trouble() {
  {
    const std::lock_guard lock{mutex_};
    if (trouble_.empty()) return;
    trouble_.clear();
  }
  if (log_trouble_) log_trouble_({});
}

void sqlite_writer::finish_commit() {
  end_trouble();
  group_commit_buffer::mark_committed(writing_);
  {
    const std::lock_guard lock{mutex_};
    buffer_.finish_commit(writing_, row_.size(), removed_);
    committed_ = writing_.number;
    pending_records_ -= writing_.records;
    if (pending_records_ <= tuning_.pending_max / 2)
      congested_.store(false, std::memory_order_relaxed);
    ++report_.transactions;
    report_.records += writing_.records;
    report_.bytes_written += row_.size();
    for (const auto& t : writing_.touches) {
      if (t.how == batch::closing::no) continue;
      report_.bytes_written += t.game->log.size();
      ++(t.how == batch::closing::ended ? report_.games_ended : report_.games_quarantined);
    }
    for (const auto& c : writing_.copies) report_.bytes_written += c.log.size();
  }
  written_.notify_all();
  notify_listeners();
  removed_.clear();
}

void sqlite_writer::notify_listeners() {
  for (const auto& t : writing_.touches) {
    if (t.listener == nullptr) continue;
    auto at = std::find_if(commits_.begin(), commits_.end(),
                           [&](const auto& one) { return one.first == t.listener; });
    if (at == commits_.end()) at = commits_.insert(commits_.end(), {t.listener, {}});
    at->second.push_back({t.id, t.last});
  }
  for (auto& [listener, commits] : commits_) {
    if (!commits.empty()) listener->committed(commits);
    commits.clear();
  }
}

void sqlite_writer::maintain(bool idle) {
  maintain_log();
  bool check = false;
  {
    const std::lock_guard lock{mutex_};
    check = idle || report_.transactions % transactions_per_check == 0;
  }
  const auto now = clock::now();
  // By age only one step in each idle_pause, so that a wrong clock has deleted little before an
  // operator notices.
  const auto pause = deleting_ == deletion::by_size
                         ? (idle ? clock::duration{0} : tuning_.deletion_pause)
                         : clock::duration{tuning_.idle_pause};
  if (now - maintained_ < pause || !(check || deleting_ != deletion::none)) return;
  maintained_ = now;
  delete_old();
}

// A failure here is only counted: no output depends on it. If it persists, the next batch reports
// it.
void sqlite_writer::delete_old() {
  std::uint64_t deleted = 0, used = 0;
  bool failed = false;
  const auto ages_known = check_clock();
  deleting_ = deletion::none;
  try {
    used = store_.bytes_used();
    const auto too_big = settings_.bytes_max != 0 && used > settings_.bytes_max;
    if (too_big || (settings_.keep.count() != 0 && ages_known)) {
      const auto before = too_big ? base::wall_time::max() : tuning_.now() - settings_.keep;
      deleted = store_.delete_ended(before, tuning_.deleted_at_once);
      if (deleted != 0) {
        used = store_.bytes_used();
        deleting_ = too_big ? deletion::by_size : deletion::by_age;
        unreported_[too_big ? 1 : 0].games += deleted;
      }
    }
  } catch (const std::exception&) {
    failed = true;
  }
  report_deleted(false);
  const std::lock_guard lock{mutex_};
  if (failed) ++report_.failures;
  report_.games_deleted += deleted;
  report_.games_ended -= deleted;
  if (!failed) report_.file_bytes = used;
}

bool sqlite_writer::check_clock() {
  const auto jump = clock_watch_.check(tuning_.now(), tuning_.steady_now());
  if (jump && settings_.on_clock_jump) settings_.on_clock_jump(*jump);
  return clock_watch_.trusted();
}

void sqlite_writer::report_deleted(bool all) {
  const auto now = clock::now();
  for (const auto by_size : {false, true}) {
    auto& of = unreported_[by_size ? 1 : 0];
    if (of.games == 0 ||
        (!all && of.at.time_since_epoch().count() != 0 && now - of.at < report_pause))
      continue;
    if (settings_.on_deleted) settings_.on_deleted(of.games, by_size);
    of = {0, now};
  }
}

void sqlite_writer::maintain_log() {
  const auto pages = store_.log_pages();
  if (pages < log_.pages) log_ = {};  // SQLite restarted the log
  log_.pages = pages;
  if (checkpointer_.busy()) return;
  // SQLite restarts the log only if all of it was copied at a moment without a commit, so the
  // writer has to copy the rest. Two passes of the checkpointer leave little for it.
  const auto closing = pages >= tuning_.log_pages_hard &&
                       (log_.emptied == 0 || pages - log_.emptied >= tuning_.log_pages_soft);
  if (pages - log_.moved >= tuning_.log_pages_soft || (closing && log_.passes < 2)) {
    log_.moved = pages;
    log_.passes = closing ? log_.passes + 1 : 0;
    checkpointer_.wake();
  } else if (closing) {
    // If a reader prevents it, the next try is after log_pages_soft more pages.
    log_.emptied = pages;
    log_.passes = 0;
    empty_log();
  }
}

void sqlite_writer::empty_log() {
  try {
    store_.empty_log();
  } catch (const std::exception&) {
    const std::lock_guard lock{mutex_};
    ++report_.failures;
  }
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
