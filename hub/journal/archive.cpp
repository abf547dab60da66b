#include "hub/journal/archive.hpp"

#include "hub/journal/archive_logs.hpp"
#include "hub/journal/schema.hpp"
#include "hub/journal/sqlite.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_recovery.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::journal {

namespace {

// How long a call waits for a lock. A hub's transactions take milliseconds; those of other tools
// may take seconds.
constexpr std::chrono::milliseconds archive_lock_max{5'000};

// A read transaction: one snapshot of the file.
class snapshot {
 public:
  explicit snapshot(sqlite::database& db) : db_(db) { db_.run("BEGIN"); }
  snapshot(const snapshot&) = delete;
  snapshot& operator=(const snapshot&) = delete;
  ~snapshot() { db_.roll_back(); }

 private:
  sqlite::database& db_;
};

namespace fs = std::filesystem;

constexpr int pages_at_once = 256;

[[noreturn]] void refuse_backup(const fs::path& what, const std::string& why) {
  throw unusable_file{"The backup can't be written to " + what.string() + ": " + why + '.'};
}

fs::path with_suffix(fs::path path, const char* end) { return path += end; }

void sync_to_device(const fs::path& what, int flags) {
  const auto descriptor = ::open(what.c_str(), flags | O_CLOEXEC);
  const auto failed = descriptor < 0 || ::fsync(descriptor) != 0;
  const auto why = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (failed) refuse_backup(what, std::generic_category().message(why));
}

// Rows of one transaction, so that other writers get their turn.
constexpr std::int64_t rows_at_once = 500;

struct changed_row {
  std::int64_t key = 0, old_sum = 0, sum = 0;
  std::string log;
};

void write_rows(sqlite::database& db, const char* text, const std::vector<changed_row>& rows) {
  if (rows.empty()) return;
  db.run("BEGIN IMMEDIATE");
  try {
    auto update = db.prepare(text);
    for (const auto& row : rows) {
      update.bind_blob(1, row.log);
      update.bind(2, row.sum);
      update.bind(3, row.key);
      update.bind(4, row.old_sum);
      update.run();
    }
    db.run("COMMIT");
  } catch (...) {
    db.roll_back();
    throw;
  }
}

std::uint64_t forget_in_ended(sqlite::database& db, const record_predicate& matches) {
  std::uint64_t games = 0;
  auto select = db.prepare(
      "SELECT seq, id, ended, records, sum, log FROM games WHERE seq > ? ORDER BY seq LIMIT ?");
  for (std::int64_t last = 0;;) {
    const auto before = last;
    std::vector<changed_row> rows;
    select.bind(1, last);
    select.bind(2, rows_at_once);
    {
      for (sqlite::rows found{select}; found.next();) {
        last = select.number(0);
        const game_id id{select.natural(1)};
        const base::wall_time ended{std::chrono::milliseconds{select.number(2)}};
        const auto records = select.natural(3);
        changed_row row{last, select.number(4), 0, {}};
        // Damaged rows stay unchanged: a new checksum would hide the damage.
        if (sum_of_ended(id, ended, records, select.blob(5)) != row.old_sum ||
            !log_without(select.blob(5), records, matches, row.log))
          continue;
        row.sum = sum_of_ended(id, ended, records, row.log);
        rows.push_back(std::move(row));
      }
    }
    if (last == before) return games;
    games += rows.size();
    write_rows(db, "UPDATE games SET log = ?, sum = ? WHERE seq = ? AND sum = ?", rows);
  }
}

std::uint64_t forget_in_quarantined(sqlite::database& db, const open_game_recovery& logs,
                                    const record_predicate& matches) {
  std::vector<changed_row> rows;
  for (const auto& [id, log] : logs.games) {
    changed_row row{static_cast<std::int64_t>(id.value),
                    checksum_of_retained(id, log.records, log.bytes),
                    0,
                    {}};
    if (!log.quarantined || log.damage || !log_without(log.bytes, log.records, matches, row.log))
      continue;
    row.sum = checksum_of_retained(id, log.records, row.log);
    rows.push_back(std::move(row));
  }
  write_rows(db, "UPDATE kept SET log = ?, sum = ? WHERE id = ? AND sum = ?", rows);
  return rows.size();
}

void forget_in_batches(sqlite::database& db, const open_game_recovery& logs,
                       const record_predicate& matches,
                       std::unordered_map<game_id, seat_set>& seats) {
  auto select =
      db.prepare("SELECT id, at, last_game, last_player, sum, bytes FROM batches WHERE id = ?");
  for (const auto& b : logs.batches) {
    std::vector<changed_row> rows;
    select.bind(1, b.number);
    {
      sqlite::rows found{select};
      if (!found.next()) continue;
      const base::wall_time at{std::chrono::milliseconds{select.number(1)}};
      const journal::numbers last{game_id{select.natural(2)}, player_id{select.natural(3)}};
      changed_row row{select.number(0), select.number(4), 0, {}};
      if (sum_of_batch(b.number, at, last, select.blob(5)) != row.old_sum ||
          !batch_without(select.blob(5), logs, matches, seats, row.log))
        continue;
      row.sum = sum_of_batch(b.number, at, last, row.log);
      rows.push_back(std::move(row));
    }
    write_rows(db, "UPDATE batches SET bytes = ?, sum = ? WHERE id = ? AND sum = ?", rows);
  }
}

archive::forgotten forget_records(sqlite::database& db, int schema,
                                  const record_predicate& matches) {
  // Overwrites removed bytes instead of only freeing them.
  db.run("PRAGMA secure_delete=ON");
  // The open games are read first: games that end meanwhile are found among the ended ones, too.
  db.run("BEGIN");
  open_game_recovery logs;
  archive::forgotten result;
  try {
    logs = recover_open_games(db, schema, sleepers::without);
    auto asleep = asleep_rows(db, schema);
    while (asleep && asleep.step())
      if (!logs.games.contains({asleep.natural(0)}) &&
          holds_any(asleep.blob(3), asleep.natural(1), matches))
        ++result.open;
  } catch (...) {
    db.roll_back();
    throw;
  }
  db.run("COMMIT");
  result.games = forget_in_ended(db, matches) + forget_in_quarantined(db, logs, matches);
  // The records of one game may be in several batches. The second time removes the names that a
  // player had before the one that matches.
  std::unordered_map<game_id, seat_set> seats;
  for (int i = 0; i < 2; ++i) forget_in_batches(db, logs, matches, seats);
  for (const auto& [id, log] : logs.games)
    if (!log.quarantined && holds_any(log.bytes, log.records, matches)) ++result.open;
  db.checkpoint();
  return result;
}

class sqlite_archive final : public archive {
 public:
  sqlite_archive(std::filesystem::path file, access how)
      : file_(std::move(file)),
        db_(file_, how == access::read ? sqlite::mode::read : sqlite::mode::write,
            archive_lock_max),
        schema_(schema_of(db_, file_)) {}

  void for_each(std::span<const game_id> wanted,
                const std::function<bool(archived_game&)>& take) override {
    if (schema_ == 0) return;
    convert_errors([&] {
      const snapshot now{db_};
      const auto logs = recover_open_games(db_, schema_, sleepers::without);
      wanted.empty() ? all(logs, take) : some(logs, wanted, take);
    });
  }

  archive_totals totals() override {
    archive_totals t;
    t.schema = schema_;
    convert_errors([&] {
      const snapshot now{db_};
      const auto page = db_.number("PRAGMA page_size");
      t.file_bytes = static_cast<std::uint64_t>(db_.number("PRAGMA page_count") * page);
      t.free_bytes = static_cast<std::uint64_t>(db_.number("PRAGMA freelist_count") * page);
      if (schema_ != 0) count(t);
    });
    return t;
  }

  std::optional<std::string> damage() override {
    try {
      if (auto found = db_.text("PRAGMA integrity_check(1)"); found != "ok") return found;
      const snapshot now{db_};
      return recover_open_games(db_, schema_, sleepers::without).damage;
    } catch (const sqlite::error& e) {
      return e.what();
    }
  }

  void backup(const std::filesystem::path& to,
              const std::function<void(double)>& progress) override {
    convert_errors([&] {
      const snapshot now{db_};
      // The snapshot begins with the first read, not with BEGIN.
      db_.number("SELECT count(*) FROM sqlite_schema");
      back_up(db_, file_, to, progress);
    });
  }

  forgotten forget_player(player_id player) override {
    return forget_if([player](const record& r) {
      return player_id{static_cast<std::uint64_t>(r.action)} == player;
    });
  }

  forgotten forget_name(const std::string& name) override {
    return forget_if([&name](const record& r) { return r.text == name; });
  }

 private:
  using taker = std::function<bool(archived_game&)>;

  forgotten forget_if(const std::function<bool(const record&)>& matches) {
    forgotten result;
    if (schema_ != 0) convert_errors([&] { result = forget_records(db_, schema_, matches); });
    return result;
  }

  // Converts a SQLite error to unusable_file, which names the file and the remedy.
  template <class Work>
  void convert_errors(Work&& work) {
    try {
      work();
    } catch (const sqlite::error& e) {
      throw unusable_file{why_unusable(file_, e)};
    }
  }

  static bool give(game_id id, const open_game_recovery& logs, const taker& take) {
    auto g = open_game_of(id, logs.games.at(id), logs.damage);
    return take(g);
  }
  // Requires: columns id, ended, records, sum, log.
  static bool give(const sqlite::statement& row, archived_game& g, const taker& take) {
    read_ended_game({{row.natural(0)},
                     base::wall_time{std::chrono::milliseconds{row.number(1)}},
                     row.natural(2),
                     row.number(3),
                     row.blob(4)},
                    g);
    return take(g);
  }

  // Requires: a row of asleep_rows().
  static open_log log_in(const sqlite::statement& row) {
    open_log log;
    log.records = row.natural(1);
    log.bytes = row.blob(3);
    if (checksum_of_retained({row.natural(0)}, log.records, log.bytes) != row.number(2))
      log.damage = "its log does not agree with its sum";
    return log;
  }
  static bool give_asleep(const sqlite::statement& row, const taker& take) {
    auto g = open_game_of({row.natural(0)}, log_in(row), std::nullopt);
    return take(g);
  }

  void all(const open_game_recovery& logs, const taker& take) {
    std::vector<game_id> open;
    for (const auto& [id, log] : logs.games) open.push_back(id);
    std::sort(open.begin(), open.end());
    auto next = open.begin();
    auto asleep = asleep_rows(db_, schema_, "ORDER BY id");
    const auto step_asleep = [&] {
      while (asleep.step())
        if (!logs.games.contains({asleep.natural(0)})) return true;
      return false;
    };
    bool has_asleep = asleep && step_asleep();
    const auto give_open_before = [&](std::uint64_t end) {
      for (;;) {
        const bool here = next != open.end() && next->value < end;
        if (has_asleep && asleep.natural(0) < end && (!here || asleep.natural(0) < next->value)) {
          if (!give_asleep(asleep, take)) return false;
          has_asleep = step_asleep();
        } else if (!here) {
          return true;
        } else if (!give(*next++, logs, take)) {
          return false;
        }
      }
    };
    auto select = db_.prepare("SELECT id, ended, records, sum, log FROM games ORDER BY id");
    archived_game g;
    while (select.step())
      if (!give_open_before(select.natural(0)) || !give(select, g, take)) return;
    give_open_before(std::numeric_limits<std::uint64_t>::max());
  }

  void some(const open_game_recovery& logs, std::span<const game_id> wanted, const taker& take) {
    std::vector<game_id> ids{wanted.begin(), wanted.end()};
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    auto select = db_.prepare("SELECT id, ended, records, sum, log FROM games WHERE id = ?");
    auto asleep = asleep_rows(db_, schema_, "WHERE id = ?");
    archived_game g;
    for (const auto id : ids) {
      if (logs.games.contains(id)) {
        if (!give(id, logs, take)) return;
        continue;
      }
      if (asleep) {
        asleep.bind(1, id.value);
        sqlite::rows one{asleep};
        if (one.next()) {
          if (!give_asleep(asleep, take)) return;
          continue;
        }
      }
      select.bind(1, id.value);
      sqlite::rows found{select};
      if (found.next() && !give(select, g, take)) return;
    }
  }

  void count(archive_totals& t) {
    archive_counter counter{t};
    auto select = db_.prepare("SELECT ended, records, log FROM games ORDER BY seq");
    while (select.step())
      counter.add_ended(base::wall_time{std::chrono::milliseconds{select.number(0)}},
                        select.natural(1), select.blob(2));
    const auto open = recover_open_games(db_, schema_, sleepers::without).games;
    for (const auto& [id, log] : open) counter.add_open(log);
    auto asleep = asleep_rows(db_, schema_);
    while (asleep && asleep.step())
      if (!open.contains({asleep.natural(0)})) counter.add_open(log_in(asleep));
    counter.finish();
  }

  std::filesystem::path file_;
  sqlite::database db_;
  int schema_;
};

}  // namespace

std::unique_ptr<archive> open_archive(const std::filesystem::path& file, access how) {
  if (!std::filesystem::is_regular_file(file))
    throw unusable_file{"There is no journal " + file.string() + '.'};
  try {
    return std::make_unique<sqlite_archive>(file, how);
  } catch (const sqlite::error& e) {
    throw unusable_file{why_unusable(file, e)};
  }
}

void back_up(sqlite::database& from, const fs::path& source, const fs::path& to,
             const std::function<void(double)>& progress) {
  std::error_code none;
  if (fs::equivalent(source, to, none)) refuse_backup(to, "it is what is to be copied");
  if (const auto folder = to.parent_path(); !folder.empty() && !fs::is_directory(folder, none))
    refuse_backup(to, "there is no folder " + folder.string() + ": make it");
  // SQLite would apply the log of the old database to the new one.
  if (fs::exists(with_suffix(to, "-wal")))
    refuse_backup(to,
                  "the log " + with_suffix(to, "-wal").string() + " lies beside it: is it in use?");
  const auto partial = with_suffix(to, ".partial");
  fs::remove(partial, none);
  try {
    make_place(partial);
    {
      sqlite::database copy{partial, sqlite::mode::write, std::chrono::milliseconds{0}};
      // The copy is used only after the rename, so one fsync at the end is enough.
      copy.run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;");
      from.copy_to(copy, pages_at_once, progress);
    }
    sync_to_device(partial, O_RDWR);
    fs::rename(partial, to);
    const auto folder = to.parent_path();
    sync_to_device(folder.empty() ? fs::path{"."} : folder, O_RDONLY | O_DIRECTORY);
  } catch (const sqlite::error& e) {
    fs::remove(partial, none);
    refuse_backup(to, e.what());
  } catch (const fs::filesystem_error& e) {
    fs::remove(partial, none);
    refuse_backup(to, e.code().message());
  } catch (...) {
    fs::remove(partial, none);
    throw;
  }
}

}  // namespace gamehub::journal
