#include "hub/journal/sqlite_store.hpp"

#include "hub/journal/schema.hpp"
#include "hub/journal/sqlite_recovery.hpp"

#include <exception>
#include <string_view>
#include <utility>

namespace gamehub::journal {

namespace {

constexpr const char* announce =
    "INSERT INTO suspicions (game, count, announced) VALUES (?, 0, 1)"
    " ON CONFLICT (game) DO UPDATE SET announced = 1";

std::int64_t ms_of(base::wall_time at) { return at.time_since_epoch().count(); }

std::vector<pause> pauses_of(sqlite::database& db) {
  std::vector<pause> all;
  auto select = db.prepare("SELECT began, ended FROM pauses ORDER BY ended");
  while (select.step())
    all.push_back({base::wall_time{std::chrono::milliseconds{select.number(0)}},
                   base::wall_time{std::chrono::milliseconds{select.number(1)}}});
  return all;
}

std::unordered_map<game_id, int> suspicions_of(sqlite::database& db) {
  std::unordered_map<game_id, int> all;
  auto select = db.prepare("SELECT game, count FROM suspicions");
  while (select.step()) all[game_id{select.natural(0)}] = static_cast<int>(select.number(1));
  return all;
}

const std::filesystem::path& created(const std::filesystem::path& file, bool makes_folders) {
  make_place(file, "journal", makes_folders);
  return file;
}

// Puts damaged logs into quarantine, so that the other games can continue. Their bytes are
// retained.
void quarantine_damaged(sqlite::database& db, open_game_recovery& logs) {
  sleeper_rows asleep{db};
  auto put = db.prepare(
      "INSERT INTO kept (id, records, sum, log, why) VALUES (?1, ?2, ?3, ?4, ?5)"
      " ON CONFLICT (id) DO UPDATE SET records = ?2, log = ?4, why = ?5");
  for (auto& [id, log] : logs.games) {
    if (!log.damage || log.quarantined) continue;
    log.quarantined = "its log is damaged: " + *log.damage;
    put.bind(1, id.value);
    put.bind(2, log.records);
    put.bind(3, std::int64_t{0});
    put.bind_blob(4, log.bytes);
    put.bind_text(5, *log.quarantined);
    put.run();
    if (std::exchange(log.filed, std::nullopt)) asleep.remove(id);
  }
}

}  // namespace

sqlite_store::sqlite_store(std::filesystem::path file, durability safe_from,
                           const sqlite_tuning& tuning, bool makes_folders)
    : file_(std::move(file)),
      safe_from_(safe_from),
      lock_max_(tuning.lock_max),
      log_pages_soft_(tuning.log_pages_soft),
      log_pages_hard_(tuning.log_pages_hard),
      lock_(created(file_, makes_folders)),
      reader_(file_),
      checkpointer_(file_) {}

void sqlite_store::connect() {
  // Statements must be destroyed before their database.
  for (auto* s :
       {&begin_, &commit_, &add_batch_, &add_ended_, &add_kept_, &drop_kept_, &free_batches_,
        &announce_, &clear_suspicion_, &oldest_, &delete_upto_, &pages_, &free_pages_})
    *s = {};
  sleepers_ = {};
  db_ = {};
  identity_ = identity_of(file_);
  db_ = sqlite::database{file_, sqlite::mode::write, lock_max_};
}

void sqlite_store::prepare() {
  // Must follow prepare_to_write(): its pragma wal_autocheckpoint removes any WAL hook.
  db_.watch_log(log_pages_);
  page_bytes_ = static_cast<std::uint64_t>(db_.number("PRAGMA page_size"));
  begin_ = db_.prepare("BEGIN IMMEDIATE");
  commit_ = db_.prepare("COMMIT");
  add_batch_ = db_.prepare(
      "INSERT INTO batches (id, at, last_game, last_player, sum, bytes) VALUES (?, ?, ?, ?, ?, ?)");
  add_ended_ =
      db_.prepare("INSERT INTO games (id, ended, records, sum, log) VALUES (?, ?, ?, ?, ?)");
  add_kept_ = db_.prepare(
      "INSERT OR REPLACE INTO kept (id, records, sum, log, why) VALUES (?, ?, ?, ?, ?)");
  drop_kept_ = db_.prepare("DELETE FROM kept WHERE id = ?");
  free_batches_ = db_.prepare("DELETE FROM batches WHERE id < ?");
  announce_ = db_.prepare(announce);
  clear_suspicion_ = db_.prepare("DELETE FROM suspicions WHERE game = ?");
  oldest_ = db_.prepare("SELECT seq, ended FROM games ORDER BY seq LIMIT ?");
  delete_upto_ = db_.prepare("DELETE FROM games WHERE seq <= ?");
  sleepers_ = sleeper_rows{db_};
  pages_ = db_.prepare("PRAGMA page_count");
  free_pages_ = db_.prepare("PRAGMA freelist_count");
}

template <class Work>
void sqlite_store::transaction(Work&& work) {
  begin_.run();
  try {
    work();
    commit_.run();
  } catch (...) {
    db_.roll_back();
    throw;
  }
}

log_contents sqlite_store::open() {
  connect();
  if (db_.read_only())
    throw unusable_file{"The journal " + file_.string() +
                        " can't be written: give its owner the right to write to it and its "
                        "folder."};
  schema_of(db_, file_);
  prepare_to_write(db_, safe_from_ == durability::power);
  log_contents all;
  all.left_open = lock_.left_open();
  const auto trials = lock_.notes();
  db_.run("BEGIN IMMEDIATE");
  try {
    if (const auto version = schema_of(db_, file_); version < schema_newest) migrate(db_, version);
    for (const auto game : trials) {
      auto add = db_.prepare(announce);
      add.bind(1, game);
      add.run();
    }
    db_.run("UPDATE suspicions SET count = count + 1, announced = 0 WHERE announced = 1");
    all.logs = recover_open_games(db_, schema_newest, sleepers::without);
    all.suspicions = suspicions_of(db_);
    // The replay of a game that was asleep may have ended the hub.
    for (const auto& [game, count] : all.suspicions)
      if (!all.logs.games.contains(game)) add_sleeper(db_, game, all.logs);
    if (all.logs.damage)
      throw unusable_file{"The journal " + file_.string() + " is damaged (" + *all.logs.damage +
                          "): `gamehub journal export` saves what can be read; then move it away "
                          "or bring back a backup."};
    quarantine_damaged(db_, all.logs);
    db_.run("COMMIT");
  } catch (...) {
    db_.roll_back();
    throw;
  }
  for (const auto game : trials) lock_.remove_note(game);
  // Games are deleted from one end only: their numbers have no gaps.
  all.ended = static_cast<std::uint64_t>(db_.number("SELECT ifnull(max(seq), 0) FROM games") -
                                         db_.number("SELECT ifnull(min(seq), 1) FROM games") + 1);
  for (const auto& [id, log] : all.logs.games)
    if (log.quarantined) ++all.quarantined;
  if (!all.logs.batches.empty()) last_ = all.logs.batches.back().number;
  all.asleep = static_cast<std::uint64_t>(db_.number("SELECT count(*) FROM asleep"));
  for (const auto& [id, log] : all.logs.games)
    if (log.filed) --all.asleep;
  reader_.set_pauses(pauses_of(db_));
  prepare();
  return all;
}

void sqlite_store::add_pause(const pause& p) {
  if (p.ended <= p.began) return;
  auto add = db_.prepare("INSERT INTO pauses (began, ended) VALUES (?, ?)");
  add.bind(1, ms_of(p.began));
  add.bind(2, ms_of(p.ended));
  transaction([&] { add.run(); });
  reader_.set_pauses(pauses_of(db_));
}

// SQLite continues to write to a deleted file; its contents would be lost at the end of the
// program. While the file is open, the operator can restore it.
void sqlite_store::require_in_place() const {
  if (identity_of(file_) != identity_)
    throw sqlite::error{sqlite::sqlite_error_kind::moved,
                        "its file was moved, deleted or replaced"};
}

append_result sqlite_store::append(const log_batch& b) {
  append_result result;
  try {
    const auto doubtful = std::exchange(failed_, true) || b.number != last_ + 1;
    const auto present = doubtful && has_after_failure(b);
    if (!present) write(b);
    failed_ = false;
    last_ = b.number;
    return {present ? append_outcome::present : append_outcome::written, {}};
  } catch (const sqlite::error& e) {
    result.why = why_waiting(file_, e);
    if (e.kind() == sqlite::sqlite_error_kind::moved) result.what = append_outcome::conflict;
    // On a full disk an emptied write-ahead log reuses the space that it has.
    if (e.kind() == sqlite::sqlite_error_kind::full) empty_log();
  } catch (const std::exception& e) {
    result.why = "The journal can't write to " + file_.string() + " (" + e.what() +
                 "). Nothing is lost: what players do waits for it.";
  }
  return result;
}

void sqlite_store::write(const log_batch& b) {
  require_in_place();
  if (!begin_) throw sqlite::error{sqlite::sqlite_error_kind::io, "it could not be opened again"};
  transaction([&] { write_parts(b); });
}

void sqlite_store::write_parts(const log_batch& b) {
  add_batch_.bind(1, b.number);
  add_batch_.bind(2, ms_of(b.at));
  add_batch_.bind(3, b.last.game.value);
  add_batch_.bind(4, b.last.player.value);
  add_batch_.bind(5, b.sum);
  add_batch_.bind_blob(6, b.entries);
  add_batch_.run();
  for (const auto& g : b.ended) {
    add_ended_.bind(1, g.id.value);
    add_ended_.bind(2, ms_of(g.ended));
    add_ended_.bind(3, g.records);
    add_ended_.bind(4, sum_of_ended(g.id, g.ended, g.records, g.log));
    add_ended_.bind_blob(5, g.log);
    add_ended_.run();
    if (!g.was_kept) continue;
    drop_kept_.bind(1, g.id.value);
    drop_kept_.run();
  }
  for (const auto& k : b.kept) {
    add_kept_.bind(1, k.id.value);
    add_kept_.bind(2, k.records);
    add_kept_.bind(3, checksum_of_retained(k.id, k.records, k.log));
    add_kept_.bind_blob(4, k.log);
    k.quarantined ? add_kept_.bind_text(5, *k.quarantined) : add_kept_.bind_null(5);
    add_kept_.run();
  }
  for (const auto id : b.woken) sleepers_.remove(id);
  for (const auto& s : b.asleep) {
    sleepers_.add(s);
    if (!s.was_kept) continue;
    drop_kept_.bind(1, s.id.value);
    drop_kept_.run();
  }
  for (const auto& s : b.suspicions) {
    auto& mark = s.announced ? announce_ : clear_suspicion_;
    mark.bind(1, s.game.value);
    mark.run();
  }
  if (b.free_below != 0) {
    free_batches_.bind(1, b.free_below);
    free_batches_.run();
  }
}

// Returns true if a transaction that reported a failure was written. Reopens the file, because the
// connection itself may be the cause.
bool sqlite_store::has_after_failure(const log_batch& b) {
  require_in_place();
  connect();
  prepare_to_write(db_, safe_from_ == durability::power);
  prepare();
  const auto last = static_cast<batch_number>(db_.number("SELECT max(id) FROM batches"));
  // Writing to a file that replaced the journal's would append batches that do not continue it.
  if ((last != b.number && last + 1 != b.number) ||
      (last == b.number && find_batch(b.number) != b.sum))
    throw sqlite::error{sqlite::sqlite_error_kind::moved, "it is not the file that was opened"};
  return last == b.number;
}

std::optional<std::int64_t> sqlite_store::find_batch(batch_number number) {
  auto select = db_.prepare("SELECT sum FROM batches WHERE id = ?");
  select.bind(1, number);
  return select.step() ? std::optional{select.number(0)} : std::nullopt;
}

std::uint64_t sqlite_store::delete_ended(base::wall_time before, std::int64_t most) {
  std::uint64_t deleted = 0;
  transaction([&] {
    std::int64_t upto = 0;
    oldest_.bind(1, most);
    {
      for (sqlite::rows oldest{oldest_}; oldest.next() && oldest_.number(1) < ms_of(before);
           ++deleted)
        upto = oldest_.number(0);
    }
    if (deleted == 0) return;
    delete_upto_.bind(1, upto);
    delete_upto_.run();
  });
  return deleted;
}

std::uint64_t sqlite_store::bytes_used() {
  const auto number = [](sqlite::statement& s) {
    sqlite::rows one{s};
    return one.next() ? s.natural(0) : 0;
  };
  return (number(pages_) - number(free_pages_)) * page_bytes_;
}

void sqlite_store::maintain() noexcept {
  if (log_pages_ < log_.pages) log_ = {};  // SQLite restarted the log
  log_.pages = log_pages_;
  if (checkpointer_.busy()) return;
  // SQLite restarts the log only if all of it was copied at a moment without a commit, so the
  // writer has to copy the rest. Two passes of the checkpointer leave little for it.
  const auto closing = log_.pages >= log_pages_hard_ &&
                       (log_.emptied == 0 || log_.pages - log_.emptied >= log_pages_soft_);
  if (log_.pages - log_.moved >= log_pages_soft_ || (closing && log_.passes < 2)) {
    log_.moved = log_.pages;
    log_.passes = closing ? log_.passes + 1 : 0;
    checkpointer_.wake();
  } else if (closing) {
    // If a reader prevents it, the next try is after log_pages_soft more pages.
    log_.emptied = log_.pages;
    log_.passes = 0;
    empty_log();
  }
}

std::uint64_t sqlite_store::maintenance_failures() const noexcept {
  return failures_.load(std::memory_order_relaxed) + checkpointer_.failures();
}

void sqlite_store::empty_log() noexcept {
  // It is closed if it could not be opened again after a failure.
  if (!db_) return;
  try {
    if (db_.checkpoint().all()) log_pages_ = 0;
  } catch (const std::exception&) {
    failures_.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace gamehub::journal
