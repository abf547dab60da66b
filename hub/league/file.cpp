#include "hub/league/file.hpp"

#include "hub/journal/archive.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_journal.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::league {
namespace {

namespace sqlite = journal::sqlite;

// The application id in the file's header: "gmha".
constexpr std::int64_t application = 0x676d6861;

// The statements that migrate each version of the tables to the next.
constexpr std::array table_steps{
    "CREATE TABLE tokens (digest TEXT PRIMARY KEY, owner TEXT NOT NULL, made INTEGER NOT NULL,"
    " revoked INTEGER) WITHOUT ROWID;"
    "CREATE TABLE bots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,"
    " registration INTEGER NOT NULL, registered INTEGER NOT NULL, state INTEGER NOT NULL,"
    " version TEXT NOT NULL, engine TEXT NOT NULL, endpoint TEXT NOT NULL, language TEXT NOT NULL,"
    " website TEXT NOT NULL, description TEXT NOT NULL, secret TEXT NOT NULL);"
    "CREATE TABLE failures (id INTEGER PRIMARY KEY, bot INTEGER NOT NULL, at INTEGER NOT NULL,"
    " code INTEGER NOT NULL, text TEXT NOT NULL, game INTEGER NOT NULL);"
    "CREATE INDEX failures_by_bot ON failures (bot);"
    // The seats are x and o. winner is -1 for a draw, and null without a result.
    "CREATE TABLE fixtures (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, engine TEXT NOT NULL,"
    " x INTEGER NOT NULL, o INTEGER NOT NULL, x_version TEXT NOT NULL, o_version TEXT NOT NULL,"
    " state INTEGER NOT NULL, game INTEGER NOT NULL, openings INTEGER NOT NULL,"
    " at INTEGER NOT NULL, winner INTEGER, how INTEGER);"
    "CREATE INDEX fixtures_by_state ON fixtures (state, at);"
    "CREATE INDEX fixtures_by_run ON fixtures (run) WHERE run <> 0;"
    "CREATE TABLE ratings (engine TEXT NOT NULL, bot INTEGER NOT NULL, rating REAL NOT NULL,"
    " deviation REAL NOT NULL, volatility REAL NOT NULL, games INTEGER NOT NULL,"
    " wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL, at INTEGER NOT NULL,"
    " PRIMARY KEY (engine, bot)) WITHOUT ROWID;"
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, engine TEXT NOT NULL, format INTEGER NOT NULL,"
    " games INTEGER NOT NULL, bots TEXT NOT NULL, patience INTEGER NOT NULL,"
    " state INTEGER NOT NULL, made INTEGER NOT NULL);",
    // Bots of an older hub keep their names: whether they have ever answered is not known.
    "ALTER TABLE bots ADD COLUMN account TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE bots ADD COLUMN since INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE bots ADD COLUMN answered INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE bots ADD COLUMN signing_secret TEXT NOT NULL DEFAULT '';"
    "UPDATE bots SET account = owner;"
    "CREATE TABLE last_ids (kind TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;"};
constexpr auto tables_newest = static_cast<std::int64_t>(table_steps.size());

// How long a call waits while another program writes.
constexpr std::chrono::milliseconds patience{1'000};

constexpr std::string_view bot_columns =
    "id, name, owner, registration, registered, state, version, engine, endpoint, language, "
    "website, description, secret, account, since, answered, signing_secret";
constexpr std::string_view fixture_columns =
    "id, run, engine, x, o, x_version, o_version, state, game, openings, at, winner, how";
constexpr std::string_view rating_columns =
    "engine, bot, rating, deviation, volatility, games, wins, draws, losses, at";

std::int64_t number_of(base::wall_time at) { return at.time_since_epoch().count(); }
base::wall_time time_of(std::int64_t n) { return base::wall_time{std::chrono::milliseconds{n}}; }

std::string text(const sqlite::statement& s, int column) { return std::string{s.blob(column)}; }

template <class Enum>
Enum word(const sqlite::statement& s, int column) {
  return static_cast<Enum>(s.number(column));
}

bot_record bot_in(const sqlite::statement& s) {
  bot_record b;
  b.id = bot_id{s.natural(0)};
  b.name = text(s, 1);
  b.owner = text(s, 2);
  b.registration = s.natural(3);
  b.registered_at = time_of(s.number(4));
  b.state = word<bot_state>(s, 5);
  b.version = text(s, 6);
  b.engine = text(s, 7);
  b.endpoint = text(s, 8);
  b.language = text(s, 9);
  b.website = text(s, 10);
  b.description = text(s, 11);
  b.secret = text(s, 12);
  b.account = text(s, 13);
  b.since = time_of(s.number(14));
  b.has_answered = s.number(15) != 0;
  b.signing_secret = text(s, 16);
  return b;
}

scheduled_match fixture_in(const sqlite::statement& s) {
  scheduled_match f;
  f.id = match_id{s.natural(0)};
  f.run = run_id{s.natural(1)};
  f.engine = text(s, 2);
  f.bots = {bot_id{s.natural(3)}, bot_id{s.natural(4)}};
  f.versions = {text(s, 5), text(s, 6)};
  f.state = word<match_state>(s, 7);
  f.game = game_id{s.natural(8)};
  f.openings = static_cast<std::uint32_t>(s.natural(9));
  f.at = time_of(s.number(10));
  if (s.is_null(11)) return f;
  auto& got = f.got.emplace();
  if (s.number(11) >= 0) got.winner = static_cast<seat_index>(s.number(11));
  got.how = word<loss_reason>(s, 12);
  return f;
}

rating rating_in(const sqlite::statement& s) {
  return {text(s, 0),   bot_id{s.natural(1)}, {s.real(2), s.real(3), s.real(4)},
          s.natural(5), s.natural(6),         s.natural(7),
          s.natural(8), time_of(s.number(9))};
}

// Converts ids to numbers with blanks between them, and back.
std::string joined(const std::vector<bot_id>& all) {
  std::string out;
  for (const auto each : all) out += (out.empty() ? "" : " ") + std::to_string(each.value);
  return out;
}

std::vector<bot_id> split(std::string_view from) {
  std::vector<bot_id> out;
  const auto* at = from.data();
  const auto* const end = from.data() + from.size();
  while (at != end) {
    bot_id id;
    const auto [next, error] = std::from_chars(at, end, id.value);
    if (error != std::errc{}) break;
    out.push_back(id);
    at = next == end ? end : next + 1;
  }
  return out;
}

tournament run_in(const sqlite::statement& s) {
  tournament r;
  r.id = run_id{s.natural(0)};
  r.engine = text(s, 1);
  r.format = word<run_format>(s, 2);
  r.games = static_cast<std::uint32_t>(s.natural(3));
  r.bots = split(s.blob(4));
  r.patience = std::chrono::seconds{s.number(5)};
  r.state = word<run_state>(s, 6);
  r.made_at = time_of(s.number(7));
  return r;
}

template <class Read>
auto all_of(sqlite::statement s, Read read) {
  std::vector<decltype(read(s))> out;
  while (s.step()) out.push_back(read(s));
  return out;
}

std::string put_into(std::string_view table, std::string_view columns) {
  std::string marks = "?";
  for (const char c : columns)
    if (c == ',') marks += ",?";
  return "INSERT OR REPLACE INTO " + std::string{table} + " (" + std::string{columns} +
         ") VALUES (" + marks + ")";
}

// Brings a file that is empty or of an older version to the newest version. Throws
// journal::unusable_file if the file belongs to another program or to a newer hub, or if it would
// have to change and may not.
void make_tables(sqlite::database& db, const std::filesystem::path& path, bool may_change) {
  const auto name = "The arena " + path.string();
  const auto version = db.number("PRAGMA user_version");
  const auto owner = db.number("PRAGMA application_id");
  if (owner != application && (owner != 0 || db.number("SELECT count(*) FROM sqlite_schema") != 0))
    throw journal::unusable_file{name + " is the database of another program: name another file."};
  if (version > tables_newest)
    throw journal::unusable_file{
        name + " was written by a newer gamehub: use that one, or name another file."};
  if (version == tables_newest) return;
  if (!may_change)
    throw journal::unusable_file{
        name + " is empty or was written by an older gamehub: let a hub open it first."};
  db.run("BEGIN IMMEDIATE");
  // Another program may have migrated the file meanwhile.
  for (auto at = db.number("PRAGMA user_version"); at < tables_newest; ++at)
    db.run(table_steps.at(static_cast<std::size_t>(at)));
  db.run(("PRAGMA user_version=" + std::to_string(tables_newest)).c_str());
  db.run(("PRAGMA application_id=" + std::to_string(application)).c_str());
  db.run("COMMIT");
}

}  // namespace

file::file(const std::filesystem::path& path, access how, bool fsync_each_commit) : path_(path) {
  if (how == access::change) journal::make_place(path, "arena");
  db_ = {path, how == access::change ? sqlite::mode::create : sqlite::mode::read, patience};
  if (how == access::change) {
    db_.run("PRAGMA journal_mode=WAL");
    db_.run(fsync_each_commit ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
  }
  make_tables(db_, path, how == access::change);
  if (how == access::read) return;
  put_bot_ = db_.prepare(put_into("bots", bot_columns));
  put_fixture_ = db_.prepare(put_into("fixtures", fixture_columns));
  put_failure_ = db_.prepare(put_into("failures", "bot, at, code, text, game"));
  put_rating_ = db_.prepare(put_into("ratings", rating_columns));
  put_run_ =
      db_.prepare(put_into("runs", "id, engine, format, games, bots, patience, state, made"));
  trim_failures_ = db_.prepare(
      "DELETE FROM failures WHERE bot = ?1 AND id NOT IN"
      " (SELECT id FROM failures WHERE bot = ?1 ORDER BY id DESC LIMIT ?2)");
  withdraw_ = db_.prepare("DELETE FROM fixtures WHERE id = ?");
}

void file::backup(const std::filesystem::path& to) {
  // The snapshot begins with the first read, not with BEGIN.
  db_.run("BEGIN");
  db_.number("SELECT count(*) FROM sqlite_schema");
  try {
    journal::back_up(db_, path_, to, {});
  } catch (...) {
    db_.roll_back();
    throw;
  }
  db_.roll_back();
}

void file::put(const bot_record& b) {
  auto& s = put_bot_;
  s.bind(1, b.id.value);
  s.bind_text(2, b.name);
  s.bind_text(3, b.owner);
  s.bind(4, b.registration);
  s.bind(5, number_of(b.registered_at));
  s.bind(6, static_cast<std::int64_t>(b.state));
  s.bind_text(7, b.version);
  s.bind_text(8, b.engine);
  s.bind_text(9, b.endpoint);
  s.bind_text(10, b.language);
  s.bind_text(11, b.website);
  s.bind_text(12, b.description);
  s.bind_text(13, b.secret);
  s.bind_text(14, b.account);
  s.bind(15, number_of(b.since));
  s.bind(16, std::int64_t{b.has_answered ? 1 : 0});
  s.bind_text(17, b.signing_secret);
  s.run();
}

void file::put(const scheduled_match& f) {
  auto& s = put_fixture_;
  s.bind(1, f.id.value);
  s.bind(2, f.run.value);
  s.bind_text(3, f.engine);
  s.bind(4, f.bots[0].value);
  s.bind(5, f.bots[1].value);
  s.bind_text(6, f.versions[0]);
  s.bind_text(7, f.versions[1]);
  s.bind(8, static_cast<std::int64_t>(f.state));
  s.bind(9, f.game.value);
  s.bind(10, std::uint64_t{f.openings});
  s.bind(11, number_of(f.at));
  if (f.got) {
    s.bind(12, std::int64_t{f.got->winner.value_or(-1)});
    s.bind(13, static_cast<std::int64_t>(f.got->how));
  } else {
    s.bind_null(12);
    s.bind_null(13);
  }
  s.run();
}

void file::put(const failure& f) {
  auto& s = put_failure_;
  s.bind(1, f.who.value);
  s.bind(2, number_of(f.at));
  s.bind(3, static_cast<std::int64_t>(f.what.code));
  s.bind_text(4, f.what.text);
  s.bind(5, f.what.game.value);
  s.run();
  trim_failures_.bind(1, f.who.value);
  trim_failures_.bind(2, std::uint64_t{failures_kept});
  trim_failures_.run();
}

void file::put(const rating& r) {
  auto& s = put_rating_;
  s.bind_text(1, r.engine);
  s.bind(2, r.who.value);
  s.bind_real(3, r.now.rating);
  s.bind_real(4, r.now.deviation);
  s.bind_real(5, r.now.volatility);
  s.bind(6, r.games);
  s.bind(7, r.wins);
  s.bind(8, r.draws);
  s.bind(9, r.losses);
  s.bind(10, number_of(r.at));
  s.run();
}

void file::put(const tournament& r) {
  auto& s = put_run_;
  const auto bots = joined(r.bots);
  s.bind(1, r.id.value);
  s.bind_text(2, r.engine);
  s.bind(3, static_cast<std::int64_t>(r.format));
  s.bind(4, std::uint64_t{r.games});
  s.bind_text(5, bots);
  s.bind(6, std::int64_t{r.patience.count()});
  s.bind(7, static_cast<std::int64_t>(r.state));
  s.bind(8, number_of(r.made_at));
  s.run();
}

void file::apply(const changes& all) {
  for (const auto& each : all.bots) put(each);
  for (const auto& each : all.fixtures) put(each);
  for (const auto& each : all.failures) put(each);
  for (const auto& each : all.ratings) put(each);
  for (const auto& each : all.runs) put(each);
  for (const auto id : all.withdrawn) {
    withdraw_.bind(1, id.value);
    withdraw_.run();
  }
  for (const auto id : all.dropped) {
    const auto number = std::to_string(id.value);
    db_.run(("DELETE FROM fixtures WHERE run <> 0 AND run = " + number).c_str());
    db_.run(("DELETE FROM runs WHERE id = " + number).c_str());
  }
  for (const auto id : all.removed) remove(id);
}

void file::remove(bot_id id) {
  const auto number = std::to_string(id.value);
  for (const auto* table : {"bots WHERE id", "failures WHERE bot", "ratings WHERE bot"})
    db_.run(("DELETE FROM " + std::string{table} + " = " + number).c_str());
  // Matches and tournaments name it: no other bot gets its id.
  db_.run(("INSERT INTO last_ids VALUES ('bot', " + number +
           ") ON CONFLICT (kind) DO UPDATE SET id = max(id, excluded.id)")
              .c_str());
}

void file::replace_ratings(const std::vector<rating>& all) {
  db_.run("DELETE FROM ratings");
  for (const auto& each : all) put(each);
}

std::vector<bot_record> file::bots() {
  return all_of(db_.prepare("SELECT " + std::string{bot_columns} + " FROM bots ORDER BY id"),
                bot_in);
}

std::vector<rating> file::ratings() {
  return all_of(db_.prepare("SELECT " + std::string{rating_columns} + " FROM ratings"), rating_in);
}

saved file::load(base::wall_time ended_since) {
  saved out;
  out.bots = bots();
  out.ratings = ratings();
  out.runs =
      all_of(db_.prepare("SELECT id, engine, format, games, bots, patience, state, made FROM runs"),
             run_in);
  out.failures =
      all_of(db_.prepare("SELECT bot, code, text, game, at FROM failures ORDER BY id"),
             [](const sqlite::statement& s) {
               return failure{bot_id{s.natural(0)},
                              {word<bot_error_code>(s, 1), text(s, 2), game_id{s.natural(3)}},
                              time_of(s.number(4))};
             });
  out.last_bot = bot_id{static_cast<std::uint64_t>(
      db_.number("SELECT max(coalesce((SELECT max(id) FROM bots), 0),"
                 " coalesce((SELECT id FROM last_ids WHERE kind = 'bot'), 0))"))};
  auto fixtures = db_.prepare("SELECT " + std::string{fixture_columns} +
                              " FROM fixtures WHERE state <> ?1 OR at >= ?2 OR run <> 0");
  fixtures.bind(1, static_cast<std::int64_t>(match_state::ended));
  fixtures.bind(2, number_of(ended_since));
  out.fixtures = all_of(std::move(fixtures), fixture_in);
  out.last_fixture =
      match_id{static_cast<std::uint64_t>(db_.number("SELECT max(id) FROM fixtures"))};
  return out;
}

// The row with the greatest id stays, so that no id is used twice.
void file::forget_fixtures(base::wall_time ended_before) {
  auto s = db_.prepare(
      "DELETE FROM fixtures WHERE state = ?1 AND at < ?2 AND run = 0 AND id <> (SELECT max(id) "
      "FROM "
      "fixtures)");
  s.bind(1, static_cast<std::int64_t>(match_state::ended));
  s.bind(2, number_of(ended_before));
  s.run();
}

void file::add_token(const token_entry& t) {
  auto s = db_.prepare("INSERT INTO tokens (digest, owner, made) VALUES (?, ?, ?)");
  s.bind_text(1, t.digest);
  s.bind_text(2, t.owner);
  s.bind(3, number_of(t.made));
  s.run();
}

std::size_t file::revoke_tokens(const std::string& owner, base::wall_time now) {
  auto s = db_.prepare("UPDATE tokens SET revoked = ?2 WHERE owner = ?1 AND revoked IS NULL");
  s.bind_text(1, owner);
  s.bind(2, number_of(now));
  s.run();
  return static_cast<std::size_t>(db_.number("SELECT changes()"));
}

std::vector<token_entry> file::tokens() {
  return all_of(db_.prepare("SELECT owner, digest, made, revoked FROM tokens ORDER BY owner, made"),
                [](const sqlite::statement& s) {
                  token_entry t{text(s, 0), text(s, 1), time_of(s.number(2)), {}};
                  if (!s.is_null(3)) t.revoked = time_of(s.number(3));
                  return t;
                });
}

std::optional<std::string> file::owner_of(const std::string& digest) {
  auto s = db_.prepare("SELECT owner FROM tokens WHERE digest = ? AND revoked IS NULL");
  s.bind_text(1, digest);
  if (!s.step()) return std::nullopt;
  return text(s, 0);
}

std::string why_unusable(const std::filesystem::path& path, const sqlite::error& e) {
  return journal::why_unusable(path, e, "arena",
                               "move it away, and bring back a copy if there is one");
}

}  // namespace gamehub::league
