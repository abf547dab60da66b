// The thread of the durable journal: takes what gathered, writes it, tells the listeners, and does
// what keeps the file in order when there is time.
#include <exception>
#include <utility>

#include "hub/journal/sqlite_writer.hpp"

namespace gamehub::journal {

namespace {

using clock = std::chrono::steady_clock;

// How often the size of the file is looked at, in transactions.
constexpr std::uint64_t transactions_per_look = 256;

}  // namespace

void sqlite_writer::run() {
  std::unique_lock lock{mutex_};
  for (;;) {
    wait_for_work(lock);
    if (gathered_.pending().empty()) {
      if (stopping_) return;
      lock.unlock();
      tend(true);
      lock.lock();
      continue;
    }
    flushed_ = false;
    writing_.clear();
    gathered_.take(writing_);
    lock.unlock();
    const auto done = write_until_done();
    if (!done) return;
    settle();
    tend(false);
    lock.lock();
  }
}

// Whoever flushes while a batch is written finds its records taken next; a turn of a loop that is
// still at it is waited for, so that it makes one transaction and not many.
void sqlite_writer::wait_for_work(std::unique_lock<std::mutex>& lock) {
  if (flushed_ || stopping_) return;
  sleeping_ = true;
  const auto pause = more_to_delete_ ? tuning_.deletion_pause : tuning_.unflushed_max;
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
    // A write-ahead log that begins anew needs no more of a full disk than it has.
    if (e.kind() == sqlite::ailment::full) empty_log();
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

void sqlite_writer::settle() {
  end_trouble();
  gathering::mark_committed(writing_);
  {
    const std::lock_guard lock{mutex_};
    gathered_.settle(writing_, row_.size(), left_);
    committed_ = writing_.number;
    pending_records_ -= writing_.records;
    if (pending_records_ <= tuning_.pending_max / 2)
      congested_.store(false, std::memory_order_relaxed);
    ++report_.transactions;
    report_.records += writing_.records;
    report_.bytes_written += row_.size();
    for (const auto& t : writing_.touches) {
      if (t.how == batch::leaves::no) continue;
      report_.bytes_written += t.game->log.size();
      ++(t.how == batch::leaves::ended ? report_.games_ended : report_.games_quarantined);
    }
    for (const auto& c : writing_.copies) report_.bytes_written += c.log.size();
  }
  written_.notify_all();
  tell();
  left_.clear();
}

void sqlite_writer::tell() {
  for (const auto& t : writing_.touches) {
    if (t.listener == nullptr) continue;
    auto at = std::find_if(told_.begin(), told_.end(),
                           [&](const auto& one) { return one.first == t.listener; });
    if (at == told_.end()) at = told_.insert(told_.end(), {t.listener, {}});
    at->second.push_back({t.id, t.last});
  }
  for (auto& [listener, commits] : told_) {
    if (!commits.empty()) listener->committed(commits);
    commits.clear();
  }
}

void sqlite_writer::tend(bool idle) {
  tend_log();
  bool look = false;
  {
    const std::lock_guard lock{mutex_};
    look = idle || report_.transactions % transactions_per_look == 0;
  }
  const auto now = clock::now();
  const auto pause = more_to_delete_ ? (idle ? clock::duration{0} : tuning_.deletion_pause)
                                     : clock::duration{tuning_.idle_pause};
  if (now - tended_ < pause || !(look || more_to_delete_)) return;
  tended_ = now;
  delete_old();
}

// A failure here is no trouble: nobody waits for it. If there is one, the next batch finds it.
void sqlite_writer::delete_old() {
  std::uint64_t deleted = 0, used = 0;
  bool failed = false;
  more_to_delete_ = false;
  try {
    used = store_.bytes_used();
    const auto too_big = settings_.bytes_max != 0 && used > settings_.bytes_max;
    if (too_big || settings_.keep.count() != 0) {
      const auto before = too_big ? wall_time::max() : tuning_.now() - settings_.keep;
      deleted = store_.delete_ended(before, tuning_.deleted_at_once);
      if (deleted != 0) used = store_.bytes_used();
      more_to_delete_ = deleted != 0;
    }
  } catch (const std::exception&) {
    failed = true;
  }
  const std::lock_guard lock{mutex_};
  if (failed) ++report_.failures;
  report_.games_deleted += deleted;
  report_.games_ended -= deleted;
  if (!failed) report_.file_bytes = used;
}

void sqlite_writer::tend_log() {
  const auto pages = store_.log_pages();
  if (pages < log_.pages) log_ = {};  // it began anew
  log_.pages = pages;
  if (mover_.busy()) return;
  // The log begins anew only if nothing in it is left to be moved at a moment without a commit: the
  // writer has to do the last of it. Two passes of the other thread leave it next to nothing.
  const auto closing = pages >= tuning_.log_pages_hard &&
                       (log_.emptied == 0 || pages - log_.emptied >= tuning_.log_pages_soft);
  if (pages - log_.moved >= tuning_.log_pages_soft || (closing && log_.passes < 2)) {
    log_.moved = pages;
    log_.passes = closing ? log_.passes + 1 : 0;
    mover_.wake();
  } else if (closing) {
    // If a reader prevents it, it is tried again when more has come.
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

}  // namespace gamehub::journal
