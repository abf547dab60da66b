#include "hub/webhook/file.hpp"

#include "hub/journal/sqlite_journal.hpp"

#include <chrono>
#include <cstdint>

namespace gamehub::webhook {
namespace {

namespace sqlite = journal::sqlite;

// The application id in the file's header: "gmhw".
constexpr std::int64_t application = 0x676d6877;
constexpr std::int64_t version = 1;

constexpr auto tables =
    "CREATE TABLE hooks (player BLOB PRIMARY KEY, url TEXT NOT NULL, secret TEXT NOT NULL,"
    " account TEXT NOT NULL, confirmed TEXT NOT NULL, is_on INTEGER NOT NULL, why TEXT NOT NULL,"
    " failures INTEGER NOT NULL, retry_at INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE events (player BLOB NOT NULL, game INTEGER NOT NULL, number INTEGER NOT NULL,"
    " ended INTEGER NOT NULL, told INTEGER NOT NULL, due INTEGER NOT NULL, body TEXT NOT NULL,"
    " PRIMARY KEY (player, game)) WITHOUT ROWID;";

// How long a call waits while another program reads the file.
constexpr std::chrono::milliseconds patience{1'000};

std::int64_t number_of(base::wall_time at) { return at.time_since_epoch().count(); }
base::wall_time time_of(std::int64_t n) { return base::wall_time{std::chrono::milliseconds{n}}; }
std::int64_t flag(bool yes) { return yes ? 1 : 0; }
std::string text(const sqlite::statement& s, int column) { return std::string{s.blob(column)}; }

std::string why_unusable(const std::filesystem::path& path, const sqlite::error& e) {
  return journal::why_unusable(path, e, "webhooks",
                               "give another file with --webhook-file, or move this one away");
}

// Throws journal::unusable_file if the file is not one of webhooks.
void check_tables(sqlite::database& db, const std::filesystem::path& path) {
  const auto name = "The file of webhooks " + path.string();
  const auto owner = db.number("PRAGMA application_id");
  if (owner != application && (owner != 0 || db.number("SELECT count(*) FROM sqlite_schema") != 0))
    throw journal::unusable_file{name + " is the database of another program: name another file."};
  if (db.number("PRAGMA user_version") > version)
    throw journal::unusable_file{
        name + " was written by a newer gamehub: use that one, or name another file."};
}

void make_tables(sqlite::database& db) {
  if (db.number("PRAGMA user_version") == version) return;
  db.run("BEGIN IMMEDIATE");
  db.run(tables);
  db.run(("PRAGMA user_version=" + std::to_string(version)).c_str());
  db.run(("PRAGMA application_id=" + std::to_string(application)).c_str());
  db.run("COMMIT");
}

}  // namespace

file::file(const std::filesystem::path& path, bool fsync_each_commit) {
  try {
    if (!path.empty()) {
      journal::make_place(path, "webhooks");
      lock_.emplace(path, "webhooks");
    }
    db_ = {path.empty() ? std::filesystem::path{":memory:"} : path, sqlite::mode::create, patience};
    check_tables(db_, path);
    if (!path.empty()) {
      db_.run("PRAGMA journal_mode=WAL");
      db_.run(fsync_each_commit ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    }
    make_tables(db_);
    put_hook_ = db_.prepare("INSERT OR REPLACE INTO hooks VALUES (?,?,?,?,?,?,?,?,?,?)");
    put_event_ = db_.prepare("INSERT OR REPLACE INTO events VALUES (?,?,?,?,?,?,?)");
    remove_hook_ = db_.prepare("DELETE FROM hooks WHERE player = ?");
    remove_event_ = db_.prepare("DELETE FROM events WHERE player = ? AND game = ?");
  } catch (const sqlite::error& e) {
    throw journal::unusable_file{why_unusable(path, e)};
  }
}

std::vector<hook> file::hooks() {
  std::vector<hook> out;
  auto s = db_.prepare(
      "SELECT player, url, secret, account, confirmed, is_on, why, failures, retry_at, used"
      " FROM hooks");
  while (s.step()) {
    auto& h = out.emplace_back();
    h.player = text(s, 0);
    h.url = text(s, 1);
    h.secret = text(s, 2);
    h.account = text(s, 3);
    h.confirmed = text(s, 4);
    h.on = s.number(5) != 0;
    h.why = text(s, 6);
    h.failures = static_cast<std::uint32_t>(s.natural(7));
    h.retry_at = time_of(s.number(8));
    h.used = time_of(s.number(9));
  }
  return out;
}

std::vector<std::pair<std::string, event>> file::events() {
  std::vector<std::pair<std::string, event>> out;
  auto s = db_.prepare("SELECT player, game, number, ended, told, due, body FROM events");
  while (s.step())
    out.emplace_back(text(s, 0), event{game_id{s.natural(1)}, s.natural(2), s.number(3) != 0,
                                       s.number(4) != 0, time_of(s.number(5)), text(s, 6)});
  return out;
}

void file::put(const hook& h) {
  auto& s = put_hook_;
  s.bind_blob(1, h.player);
  s.bind_text(2, h.url);
  s.bind_text(3, h.secret);
  s.bind_text(4, h.account);
  s.bind_text(5, h.confirmed);
  s.bind(6, flag(h.on));
  s.bind_text(7, h.why);
  s.bind(8, std::int64_t{h.failures});
  s.bind(9, number_of(h.retry_at));
  s.bind(10, number_of(h.used));
  s.run();
}

void file::put(const std::string& player, const event& e) {
  auto& s = put_event_;
  s.bind_blob(1, player);
  s.bind(2, e.game.value);
  s.bind(3, e.number);
  s.bind(4, flag(e.ended));
  s.bind(5, flag(e.told));
  s.bind(6, number_of(e.due));
  s.bind_text(7, e.body);
  s.run();
}

void file::apply(const changes& all) {
  db_.run("BEGIN IMMEDIATE");
  try {
    for (const auto& [player, now] : all.hooks) {
      if (now) {
        put(*now);
        continue;
      }
      remove_hook_.bind_blob(1, player);
      remove_hook_.run();
    }
    for (const auto& [key, now] : all.events) {
      const auto& [player, game] = key;
      if (now) {
        put(player, *now);
        continue;
      }
      remove_event_.bind_blob(1, player);
      remove_event_.bind(2, game.value);
      remove_event_.run();
    }
    db_.run("COMMIT");
  } catch (...) {
    db_.roll_back();
    throw;
  }
}

void check_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return;
  try {
    sqlite::database db{path, sqlite::mode::read, patience};
    check_tables(db, path);
  } catch (const sqlite::error& e) {
    throw journal::unusable_file{why_unusable(path, e)};
  }
}

}  // namespace gamehub::webhook
