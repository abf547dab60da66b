#include "hub/journal/log_writer.hpp"

#include "hub/base/thread_slice.hpp"
#include "hub/base/waiting.hpp"

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

// Games of one key that are looked at, the latest ones: most players have fewer, and it is a part
// of a loop's iteration.
constexpr std::size_t games_of_key_max = 1'024;

// A client that asks for old games may have this many of others before its own.
constexpr std::size_t reads_waiting_max = 256;

// Limits the retained batches to a quarter of a journal that has a maximum size.
writer_tuning limited(writer_tuning t, const retention_settings& s, log_store& store) {
  t.shares_sleepers = store.keeps_sleepers() && dynamic_cast<shared_log*>(&store) != nullptr;
  if (s.bytes_max != 0) t.redo_bytes_max = std::min(t.redo_bytes_max, s.bytes_max / 4);
  if (!t.now)
    t.now = [] {
      return std::chrono::time_point_cast<std::chrono::milliseconds>(
          std::chrono::system_clock::now());
    };
  if (!t.steady_now) t.steady_now = [] { return clock::now(); };
  return t;
}

// The pause after a batch of a shared log, as a part of what that took, and its bounds.
constexpr std::size_t games_of_large_batch = 8;
constexpr int part_of_pause = 2;
constexpr std::chrono::milliseconds pause_max{2};

std::optional<sleeping_game> parsed(log_store::sleeping_log found) {
  auto log = log_of(found.bytes, found.records);
  if (!log) return std::nullopt;
  return sleeping_game{*std::move(log), found.due, std::move(found.pauses), found.to_move};
}

}  // namespace

std::chrono::nanoseconds pause_after(std::size_t games, std::chrono::nanoseconds took) {
  if (games < games_of_large_batch) return {};
  return std::min<std::chrono::nanoseconds>(took / part_of_pause, pause_max);
}

log_writer::log_writer(std::unique_ptr<log_store> store, retention_settings settings,
                       const writer_tuning& tuning,
                       std::function<void(std::string_view)> log_trouble)
    : settings_(std::move(settings)),
      tuning_(limited(tuning, settings_, *store)),
      log_trouble_(std::move(log_trouble)),
      buffer_(tuning_),
      store_(std::move(store)),
      shared_(dynamic_cast<shared_log*>(store_.get()) != nullptr),
      reads_(store_->reads_wait() ? std::make_unique<read_queue>(reads_waiting_max) : nullptr) {
  auto found = store_->open();
  left_open_ = found.left_open;
  buffer_.load(found.logs, found.asleep);
  if (found.asleep != 0) store_->add_pause({buffer_.last_written(), tuning_.now()});
  clock_watch_ = clock_watch{buffer_.last_written()};
  check_clock();  // from now on a jump is seen
  suspicions_ = std::move(found.suspicions);
  committed_ = buffer_.pending().number - 1;
  report_.games_ended = found.ended;
  report_.games_quarantined = found.quarantined;
  report_.file_bytes = store_->bytes_used();
  if (!tuning_.by_hand)
    thread_ = std::thread{[this] {
      // Moves wait for it, also while a loop is busy on its core.
      base::use_short_slice();
      run();
    }};
}

log_writer::~log_writer() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  work_.notify_one();
  if (thread_.joinable()) thread_.join();
  report_deleted(true);
}

void log_writer::open(const game_header& header) {
  const std::lock_guard lock{mutex_};
  buffer_.open(header);
}

record_number log_writer::append(game_id game, std::span<const record> added,
                                 commit_listener& listener) {
  const std::lock_guard lock{mutex_};
  const auto committed = buffer_.append(game, added, listener);
  pending_records_ += added.size();
  if (pending_records_ >= tuning_.pending_max) congested_.store(true, std::memory_order_relaxed);
  return committed;
}

void log_writer::flush() {
  std::unique_lock lock{mutex_};
  if (flushed_ || buffer_.pending().can_wait()) return;
  wake(lock);
}

// The lock is released before the notification, so that the writer does not wait for it.
void log_writer::wake(std::unique_lock<std::mutex>& lock) {
  flushed_ = true;
  const auto was_sleeping = std::exchange(sleeping_, false);
  lock.unlock();
  if (was_sleeping) work_.notify_one();
}

std::optional<group_commit_buffer::committed_log> log_writer::read_open(game_id game) const {
  const std::lock_guard lock{mutex_};
  return buffer_.read(game);
}

std::optional<game_log> log_writer::find_open(game_id game) const {
  const auto log = read_open(game);
  return log ? log_of(log->bytes, log->records) : std::nullopt;
}

std::optional<game_log> log_writer::find_appended(game_id game) const {
  const auto log = read_open(game);
  return log ? log_of(log->bytes, log->appended) : std::nullopt;
}

std::optional<game_log> log_writer::find(game_id game) const {
  if (const auto log = read_open(game)) return log_of(log->bytes, log->records);
  if (auto ended = store_->find_ended(game)) return ended;
  const auto asleep = read_asleep(game);
  return asleep ? log_of(asleep->bytes, asleep->records) : std::nullopt;
}

std::vector<game_id> log_writer::ended_before(game_id before, std::size_t most) const {
  return store_->ended_before(before, most);
}

bool log_writer::read_later(std::function<void()>&& reads) {
  if (reads_) return reads_->add(std::move(reads));
  reads();
  return true;
}

void log_writer::stop_reading() {
  if (reads_) reads_->stop();
}

void log_writer::claim_games(game_id upto) {
  const std::lock_guard lock{mutex_};
  buffer_.claim(upto);
}

std::vector<record> log_writer::read(game_id game, record_number after) const {
  if (const auto log = read_open(game)) return records_of(log->bytes, log->records, after);
  if (auto found = store_->read(game, after); !found.empty()) return found;
  const auto asleep = read_asleep(game);
  return asleep ? records_of(asleep->bytes, asleep->records, after) : std::vector<record>{};
}

std::vector<game_header> log_writer::open_games() const {
  const std::lock_guard lock{mutex_};
  return buffer_.headers();
}

journal::numbers log_writer::last_numbers() const {
  const std::lock_guard lock{mutex_};
  return buffer_.last();
}

base::wall_time log_writer::last_written() const {
  const std::lock_guard lock{mutex_};
  return buffer_.last_written();
}

std::optional<std::string> log_writer::trouble() const {
  const std::lock_guard lock{mutex_};
  return trouble_.empty() ? std::nullopt : std::optional{trouble_};
}

// For calls of the start and of operators: waits for the transaction. While the journal can't
// write, it returns at once, and the transaction follows later.
void log_writer::write_now(std::unique_lock<std::mutex>& lock) {
  const auto mine = buffer_.pending().number;
  wake(lock);
  lock.lock();
  base::wait(written_, lock, [&] { return committed_ >= mine || !trouble_.empty(); });
}

void log_writer::announce_replay(std::span<const game_id> games) {
  if (games.empty()) return;
  std::unique_lock lock{mutex_};
  buffer_.suspect(games, true);
  write_now(lock);
}

void log_writer::replayed(std::span<const game_id> games) {
  if (games.empty()) return;
  std::unique_lock lock{mutex_};
  buffer_.suspect(games, false);
  for (const auto game : games) suspicions_.erase(game);
  write_now(lock);
}

journal::announced log_writer::announce_move(game_id game, commit_listener& listener) {
  if (is_open(game) && store_->begin_trial(game)) return announced::done;
  const std::lock_guard lock{mutex_};
  return buffer_.announce_move(game, listener) ? announced::pending : announced::no;
}

void log_writer::move_survived(game_id game) {
  const bool was_noted = store_->end_trial(game);
  const std::lock_guard lock{mutex_};
  // A transaction has announced it, or an earlier program did.
  if (was_noted && !suspicions_.contains(game)) return;
  const std::array one{game};
  buffer_.suspect(one, false);
  suspicions_.erase(game);
}

int log_writer::suspicions(game_id game) const {
  const std::lock_guard lock{mutex_};
  const auto at = suspicions_.find(game);
  return at == suspicions_.end() ? 0 : at->second;
}

bool log_writer::put_to_sleep(sleep_entry entry, std::function<void(game_id)> then) {
  if (!may_put_to_sleep()) return false;
  const auto request =
      std::make_shared<const sleep_request>(sleep_request{std::move(entry), std::move(then)});
  auto when = group_commit_buffer::sleeping::no;
  {
    const std::lock_guard lock{mutex_};
    when = buffer_.put_to_sleep(request);
  }
  if (when == group_commit_buffer::sleeping::now) request->then(request->entry.id);
  return when != group_commit_buffer::sleeping::no;
}

bool log_writer::bring_back(game_id game) {
  {
    const std::lock_guard lock{mutex_};
    if (buffer_.stay_awake(game)) return true;
  }
  if (shares_sleepers()) return false;
  auto found = read_asleep(game);
  if (!found) return false;
  const std::lock_guard lock{mutex_};
  buffer_.wake(game, *std::move(found));
  return true;
}

std::optional<sleeping_game> log_writer::find_asleep(game_id game) const {
  // The row of one that is open here may be older than its log.
  if (is_open(game)) return std::nullopt;
  auto found = read_asleep(game);
  return found ? parsed(*std::move(found)) : std::nullopt;
}

taken_sleepers log_writer::take_asleep(const sleeper_query& what) {
  taken_sleepers out;
  auto found = dynamic_cast<shared_log&>(*store_).take_asleep(what);
  if (!found) return out;
  out.certain = true;
  out.elsewhere = found->elsewhere;
  out.more = found->more;
  out.next_due = found->next_due;
  for (auto& [id, log] : found->games) {
    {
      const std::lock_guard lock{mutex_};
      if (!buffer_.take(id, log)) continue;
    }
    auto game = log.damaged ? std::nullopt : parsed(std::move(log));
    if (game) {
      out.games.push_back(*std::move(game));
      continue;
    }
    out.damaged.emplace_back(id, "its log does not agree with its sum");
    quarantine(id, out.damaged.back().second);
  }
  return out;
}

std::optional<log_store::sleeping_log> log_writer::read_asleep(game_id game) const {
  auto found = store_->read_asleep(game);
  return found && !found->damaged ? std::move(found) : std::nullopt;
}

std::vector<game_id> log_writer::asleep_with(const std::string& key, std::size_t most) const {
  auto found = latest_asleep(key, std::max(most, games_of_key_max)).games;
  if (found.size() > most) found.resize(most);
  return found;
}

std::size_t log_writer::count_asleep(const std::string& key, std::size_t most) const {
  for (std::size_t rows = most;; rows = std::min(8 * rows, games_of_key_max)) {
    const auto found = latest_asleep(key, rows);
    if (found.games.size() >= most) return most;
    if (found.all || rows >= games_of_key_max) return found.games.size();
  }
}

log_writer::key_games log_writer::latest_asleep(const std::string& key, std::size_t rows) const {
  key_games found{store_->asleep_with(key, rows)};
  found.all = found.games.size() < rows;
  const std::lock_guard lock{mutex_};
  std::erase_if(found.games, [this](game_id id) { return buffer_.has(id); });
  return found;
}

bool log_writer::is_damaged(game_id game) const {
  if (is_open(game) || shares_sleepers()) return false;
  const auto found = store_->read_asleep(game);
  return found && found->damaged;
}

void log_writer::quarantine(game_id game, const std::string& why) {
  auto asleep = is_open(game) || shares_sleepers() ? std::nullopt : store_->read_asleep(game);
  std::unique_lock lock{mutex_};
  if (asleep) buffer_.wake(game, *std::move(asleep));
  if (!buffer_.quarantine(game, why)) return;
  const std::array safe{game};
  buffer_.suspect(safe, false);
  suspicions_.erase(game);
  write_now(lock);
}

std::vector<game_id> log_writer::hand_over(std::span<const handed_game> games) {
  if (!shared_ || has_other_logs_) return durable_journal::hand_over(games);
  std::vector<game_id> absent;
  const std::lock_guard lock{mutex_};
  for (const auto& g : games)
    if (!buffer_.hand_over(g)) absent.push_back(g.id);
  return absent;
}

bool log_writer::is_open(game_id game) const {
  const std::lock_guard lock{mutex_};
  return buffer_.has(game);
}

void log_writer::keep_adopted(std::span<const game_id> games) {
  if (games.empty()) return;
  std::unique_lock lock{mutex_};
  buffer_.suspect(games, false);
  write_now(lock);
}

bool log_writer::hand_over_unplayed(std::span<const unplayed_game> games) {
  if (has_other_logs_) return false;
  std::unique_lock lock{mutex_};
  bool some = false;
  for (const auto& g : games)
    some |= buffer_.hand_over_unplayed(g.id, suspicions_.erase(g.id) != 0, g.keys);
  if (some) wake(lock);
  return true;
}

std::optional<std::vector<adopted_log>> log_writer::adopt(member_id other) {
  const auto had_other_logs = has_other_logs_.exchange(true);
  auto answer = adoption::unknown;
  const auto ran = run_on_writer([&](shared_log& log) { answer = log.adopt(other); });
  if (answer == adoption::taken || answer == adoption::absent) has_other_logs_ = had_other_logs;
  if (!ran || answer != adoption::adopted) return std::nullopt;
  auto& log = dynamic_cast<shared_log&>(*store_);
  unreleased_ = log.logs_of(other);
  // Its games may have gone on since. Nothing is loaded until all is read: what one call loads, no
  // other call returns.
  std::vector<std::pair<member_id, log_contents>> logs;
  for (const auto member : unreleased_)
    if (!loaded_.contains(member)) logs.emplace_back(member, log.recover(member));
  std::vector<adopted_log> all;
  for (auto& [member, found] : logs) {
    loaded_.insert(member);
    adopted_log one{member, {}, found.logs.last_written, std::move(found.logs.damage)};
    const std::lock_guard lock{mutex_};
    for (const auto& [game, times] : found.suspicions) suspicions_[game] += times;
    one.games = buffer_.adopt(found.logs);
    all.push_back(std::move(one));
  }
  return all;
}

bool log_writer::release_adopted() {
  bool released = false;
  run_on_writer([&](shared_log& log) {
    {
      const std::lock_guard lock{mutex_};
      if (buffer_.has_adopted()) return;
    }
    released = log.release(unreleased_);
  });
  if (released) has_other_logs_ = false;
  return released;
}

bool log_writer::run_on_writer(const std::function<void(shared_log&)>& what) {
  std::unique_lock lock{mutex_};
  const auto before = buffer_.pending().empty() ? 0 : buffer_.pending().number;
  const auto upto = std::max(before, buffer_.pending().number - 1);
  if (before != 0) {
    wake(lock);
    lock.lock();
  }
  const auto hopeless = [&] { return !trouble_.empty() || stopping_; };
  base::wait(written_, lock, [&] { return committed_ >= upto || hopeless(); });
  if (hopeless()) return false;
  // The journal may fail before the task is carried out, and may carry it out later.
  enum class state : std::uint8_t { waits, withdrawn, runs, done };
  const auto at = std::make_shared<state>(state::waits);
  lock.unlock();
  on_store([this, at, &what](log_store& store) {
    {
      const std::lock_guard running{mutex_};
      if (*at == state::withdrawn) return;
      *at = state::runs;
    }
    what(dynamic_cast<shared_log&>(store));
    const std::lock_guard done{mutex_};
    *at = state::done;
    written_.notify_all();
  });
  lock.lock();
  base::wait(written_, lock,
             [&] { return *at == state::done || (*at == state::waits && hopeless()); });
  return std::exchange(*at, *at == state::done ? state::done : state::withdrawn) == state::done;
}

journal_report log_writer::report() const {
  const std::lock_guard lock{mutex_};
  auto r = report_;
  r.pending_records = pending_records_;
  r.games_away = buffer_.asleep();
  r.games_open = buffer_.open_count() + r.games_away;
  r.fenced = fenced_;
  if (reads_) r.reads_refused = reads_->refused();
  r.failures += store_->maintenance_failures();
  return r;
}

void log_writer::at_fencing(std::function<void(const std::string&)> f) {
  const std::lock_guard calling{fencing_};
  at_fencing_ = std::move(f);
  if (fenced_ && at_fencing_) std::exchange(at_fencing_, nullptr)(*trouble());
}

void log_writer::fence(const std::string& why) {
  {
    const std::lock_guard lock{mutex_};
    trouble_ = why;
    fenced_.store(true, std::memory_order_relaxed);
  }
  written_.notify_all();
  const std::lock_guard calling{fencing_};
  if (at_fencing_) std::exchange(at_fencing_, nullptr)(why);
}

void log_writer::on_store(std::function<void(log_store&)> task) {
  {
    const std::lock_guard lock{mutex_};
    tasks_.push_back(std::move(task));
  }
  work_.notify_one();
}

void log_writer::run_tasks(std::unique_lock<std::mutex>& lock) {
  const auto tasks = std::exchange(tasks_, {});
  lock.unlock();
  for (const auto& task : tasks) task(*store_);
  lock.lock();
}

void log_writer::run() {
  std::unique_lock lock{mutex_};
  for (;;) {
    wait_for_work(lock);
    wait_for_group(lock);
    if (!tasks_.empty() && !stopping_) run_tasks(lock);
    if (buffer_.pending().empty()) {
      if (stopping_) return;
      if (!tasks_.empty()) continue;
      lock.unlock();
      maintain(true);
      lock.lock();
      continue;
    }
    take_batch(lock);
    if (!write_until_done()) return;
    finish_commit();
    maintain(false);
    lock.lock();
  }
}

// A flush during a write is served by the next batch. Without a flush the writer waits, so that one
// iteration of a loop makes one transaction and not many.
void log_writer::wait_for_work(std::unique_lock<std::mutex>& lock) {
  if (flushed_ || stopping_ || !tasks_.empty()) return;
  sleeping_ = true;
  const auto pause =
      deleting_ == deletion::by_size ? tuning_.deletion_pause : tuning_.unflushed_max;
  work_.wait_for(lock, pause, [this] { return flushed_ || stopping_ || !tasks_.empty(); });
  sleeping_ = false;
}

// What arrives meanwhile goes into the same batch.
void log_writer::wait_for_group(std::unique_lock<std::mutex>& lock) {
  if (!shared_) return;
  work_.wait_until(lock, written_at_ + pause_after(writing_.touches.size(), took_),
                   [this] { return stopping_ || !tasks_.empty(); });
}

// Returns without the lock.
void log_writer::take_batch(std::unique_lock<std::mutex>& lock) {
  flushed_ = false;
  writing_.clear();
  buffer_.take(writing_);
  lock.unlock();
  row_.clear();
  append_row(writing_, row_);
  describe(writing_, row_, described_);
}

bool log_writer::step() {
  std::unique_lock lock{mutex_};
  if (in_hand_ == batch_in_hand::never_written) return false;
  if (in_hand_ == batch_in_hand::none) {
    const auto had_tasks = !tasks_.empty();
    if (had_tasks) run_tasks(lock);
    if (buffer_.pending().empty()) return had_tasks;
    take_batch(lock);
  } else {
    lock.unlock();
  }
  const auto outcome = try_to_write();
  in_hand_ = outcome == append_outcome::written  ? batch_in_hand::none
             : outcome == append_outcome::fenced ? batch_in_hand::never_written
                                                 : batch_in_hand::tried;
  if (in_hand_ != batch_in_hand::none) return false;
  finish_commit();
  return true;
}

bool log_writer::write_until_done() {
  auto pause = tuning_.retry_min;
  for (;;) {
    bool last_try = false;
    {
      const std::lock_guard lock{mutex_};
      last_try = stopping_;
    }
    const auto outcome = try_to_write();
    if (outcome == append_outcome::written) return true;
    std::unique_lock lock{mutex_};
    // Nothing of this log is written any more: only the end of the journal is left to wait for.
    if (outcome == append_outcome::fenced) work_.wait(lock, [this] { return stopping_; });
    if (last_try || outcome == append_outcome::fenced) return false;
    work_.wait_for(lock, pause, [this] { return stopping_; });
    pause = std::min(2 * pause, tuning_.retry_max);
  }
}

append_outcome log_writer::try_to_write() {
  const auto begun = clock::now();
  const auto result = append_surely(*store_, described_);
  if (result.what != append_outcome::written) {
    if (result.what == append_outcome::fenced)
      fence(result.why);
    else
      begin_trouble(result);
    return result.what;
  }
  const auto took = clock::now() - begun;
  took_ = took;
  written_at_ = begun + took;
  const std::lock_guard lock{mutex_};
  report_.writing += took;
  report_.writing_max = std::max(report_.writing_max, std::chrono::nanoseconds{took});
  return result.what;
}

void log_writer::begin_trouble(const append_result& failed) {
  bool begins = false;
  {
    const std::lock_guard lock{mutex_};
    ++report_.failures;
    ++(failed.what == append_outcome::conflict ? report_.appends_conflicting
                                               : report_.appends_unknown);
    begins = trouble_.empty();
    trouble_ = failed.why;
  }
  written_.notify_all();
  if (begins && log_trouble_) log_trouble_(failed.why);
}

void log_writer::end_trouble() {
  {
    const std::lock_guard lock{mutex_};
    if (trouble_.empty() || fenced_) return;
    trouble_.clear();
  }
  if (log_trouble_) log_trouble_({});
}

void log_writer::finish_commit() {
  end_trouble();
  group_commit_buffer::mark_committed(writing_);
  {
    const std::lock_guard lock{mutex_};
    buffer_.finish_commit(writing_, row_.size(), removed_, slept_);
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
      count_closed(t.how);
    }
    for (const auto& c : writing_.copies) report_.bytes_written += c.log.size();
  }
  written_.notify_all();
  notify_listeners();
  for (const auto& each : slept_) each->then(each->entry.id);
  slept_.clear();
  removed_.clear();
}

void log_writer::count_closed(batch::closing how) {
  switch (how) {
    case batch::closing::no: return;
    case batch::closing::ended: ++report_.games_ended; return;
    case batch::closing::quarantined: ++report_.games_quarantined; return;
    case batch::closing::released: ++report_.games_released; return;
  }
}

void log_writer::notify_listeners() {
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

void log_writer::maintain(bool idle) {
  store_->maintain();
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
void log_writer::delete_old() {
  std::uint64_t deleted = 0, used = 0;
  bool failed = false;
  const auto ages_known = check_clock();
  deleting_ = deletion::none;
  try {
    used = store_->bytes_used();
    const auto too_big = settings_.bytes_max != 0 && used > settings_.bytes_max;
    if (too_big || (settings_.keep.count() != 0 && ages_known)) {
      const auto before = too_big ? base::wall_time::max() : tuning_.now() - settings_.keep;
      deleted = store_->delete_ended(before, tuning_.deleted_at_once);
      if (deleted != 0) {
        used = store_->bytes_used();
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

bool log_writer::check_clock() {
  const auto jump = clock_watch_.check(tuning_.now(), tuning_.steady_now());
  if (jump && settings_.on_clock_jump) settings_.on_clock_jump(*jump);
  return clock_watch_.trusted();
}

void log_writer::report_deleted(bool all) {
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

}  // namespace gamehub::journal
