#include "hub/journal/postgres/schema.hpp"

#include "hub/base/random.hpp"
#include "hub/journal/log_store.hpp"
#include "hub/journal/postgres/postgres_log.hpp"
#include "hub/journal/record_format.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace gamehub::journal::postgres {

namespace {

// Tries to read or create the schema while other members do the same.
constexpr int schema_tries = 5;

constexpr const char* tables_of_1[] = {
    "CREATE SCHEMA gamehub",
    // One row. `least` is the least version of a build that may use these tables.
    "CREATE TABLE gamehub.version (version bigint NOT NULL, least bigint NOT NULL)",
    // One row is one life of a hub. An append holds a share lock on it; an adoption changes it.
    // Batches up to `freed` were deleted.
    "CREATE TABLE gamehub.members (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " started timestamptz NOT NULL DEFAULT now(), address text NOT NULL, build text NOT NULL,"
    " adopted_by bigint REFERENCES gamehub.members, freed bigint NOT NULL DEFAULT 0)",
    "CREATE INDEX members_by_owner ON gamehub.members (adopted_by)",
    // The members whose logs no other one has taken over completely. A separate table: a change
    // of the member's row would wait for its appends.
    "CREATE TABLE gamehub.heartbeats (member bigint PRIMARY KEY, beats bigint NOT NULL DEFAULT 0,"
    " games bigint NOT NULL DEFAULT 0, gone boolean NOT NULL DEFAULT false)"
    " WITH (fillfactor = 50)",
    // Columns as in the SQLite file.
    "CREATE TABLE gamehub.batches (member bigint NOT NULL, number bigint NOT NULL,"
    " at bigint NOT NULL, last_game bigint NOT NULL, last_player bigint NOT NULL,"
    " sum bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (member, number))",
    "CREATE TABLE gamehub.kept (member bigint NOT NULL, game bigint NOT NULL,"
    " records bigint NOT NULL, sum bigint NOT NULL, log bytea NOT NULL, why text,"
    " PRIMARY KEY (member, game))",
    "CREATE INDEX quarantined ON gamehub.kept (game) WHERE why IS NOT NULL",
    "CREATE TABLE gamehub.games (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " id bigint NOT NULL UNIQUE, ended bigint NOT NULL, records bigint NOT NULL,"
    " sum bigint NOT NULL, log bytea NOT NULL)",
    "CREATE TABLE gamehub.suspicions (member bigint NOT NULL, game bigint NOT NULL,"
    " PRIMARY KEY (member, game))",
    // The last id of each kind that was claimed.
    "CREATE TABLE gamehub.ids (kind text PRIMARY KEY, last bigint NOT NULL)",
    // A row is changed to have a transaction that waits for the standby.
    "CREATE TABLE gamehub.confirmations (member bigint PRIMARY KEY, count bigint NOT NULL)",
    // Logs are compressed hardly, and at a cost for each batch.
    "ALTER TABLE gamehub.batches ALTER COLUMN bytes SET STORAGE EXTERNAL",
};
// Members of schema 1 use the same tables, and claim no keys.
constexpr const char* tables_of_2[] = {
    // A key is that of a name or the digest of a secret, and the member's whose player has it.
    "CREATE TABLE gamehub.claims (key bytea PRIMARY KEY, member bigint NOT NULL)",
    "CREATE INDEX claims_by_member ON gamehub.claims (member)",
    // How often a member has tried to change keys.
    "CREATE TABLE gamehub.claimers (member bigint PRIMARY KEY, tries bigint NOT NULL)",
};
// Members of schema 2 use the same tables, and have their own bans and mutes.
constexpr const char* tables_of_3[] = {
    // How often something that all members share was changed, so that they notice it.
    "CREATE TABLE gamehub.changes (what text PRIMARY KEY, count bigint NOT NULL)",
    "INSERT INTO gamehub.changes (what, count) VALUES ('sanctions', 0)",
    // The bans and mutes of the operators. `change` is the count of the last change of a row.
    "CREATE TABLE gamehub.sanctions (kind text NOT NULL, target bytea NOT NULL,"
    " reason bytea NOT NULL, since text NOT NULL, change bigint NOT NULL,"
    " PRIMARY KEY (kind, target))",
};
// Members of schema 3 use the same tables, have no links, and say nothing of their engines.
constexpr const char* tables_of_4[] = {
    // One row: what tells this cluster from others, 128 random bits.
    "CREATE TABLE gamehub.cluster (id text NOT NULL)",
    // Where the links of a member listen; empty: it has none.
    "ALTER TABLE gamehub.members ADD COLUMN link text NOT NULL DEFAULT ''",
    // The engines of a member, as journal::engine_name() has them, a line each; of a member that
    // only carries games which were handed over, those that the games need. Empty: not known.
    "ALTER TABLE gamehub.heartbeats ADD COLUMN engines text NOT NULL DEFAULT ''",
};

// Members of schema 4 use the same tables, read and write format 1, and have their own arenas.
constexpr const char* tables_of_5[] = {
    // The latest format of records that a member reads.
    "ALTER TABLE gamehub.members ADD COLUMN reads bigint NOT NULL DEFAULT 1",
    // The format that all members write.
    "INSERT INTO gamehub.changes (what, count) VALUES ('record-format', 1)",
    // One row: the member that has the arena, or none yet; the log that it handed over last; and
    // the greatest id of a removed bot.
    "CREATE TABLE gamehub.league (member bigint, heir bigint, last_bot bigint NOT NULL DEFAULT 0)",
    "INSERT INTO gamehub.league (member) VALUES (NULL)",
    // Columns as in the SQLite file of an arena (hub/league/file.cpp). Texts of bots may have bytes
    // that a text can't have. The registry keeps names unique: one transaction may have a bot that
    // is
    // removed and another one with its name.
    "CREATE TABLE gamehub.league_tokens (digest text PRIMARY KEY, owner bytea NOT NULL,"
    " made bigint NOT NULL, revoked bigint)",
    "CREATE TABLE gamehub.league_bots (id bigint PRIMARY KEY, name bytea NOT NULL,"
    " owner bytea NOT NULL, registration bigint NOT NULL, registered bigint NOT NULL,"
    " state bigint NOT NULL, version bytea NOT NULL, engine bytea NOT NULL,"
    " endpoint bytea NOT NULL, language bytea NOT NULL, website bytea NOT NULL,"
    " description bytea NOT NULL, secret bytea NOT NULL, account bytea NOT NULL,"
    " since bigint NOT NULL, answered bigint NOT NULL, signing_secret bytea NOT NULL)",
    "CREATE TABLE gamehub.league_failures (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " bot bigint NOT NULL, at bigint NOT NULL, code bigint NOT NULL, text bytea NOT NULL,"
    " game bigint NOT NULL)",
    "CREATE INDEX league_failures_by_bot ON gamehub.league_failures (bot)",
    "CREATE TABLE gamehub.league_matches (id bigint PRIMARY KEY, run bigint NOT NULL,"
    " engine bytea NOT NULL, x bigint NOT NULL, o bigint NOT NULL, x_version bytea NOT NULL,"
    " o_version bytea NOT NULL, state bigint NOT NULL, game bigint NOT NULL,"
    " openings bigint NOT NULL, at bigint NOT NULL, winner bigint, how bigint)",
    "CREATE INDEX league_matches_by_state ON gamehub.league_matches (state, at)",
    "CREATE INDEX league_matches_by_run ON gamehub.league_matches (run) WHERE run <> 0",
    "CREATE TABLE gamehub.league_ratings (engine bytea NOT NULL, bot bigint NOT NULL,"
    " rating float8 NOT NULL, deviation float8 NOT NULL, volatility float8 NOT NULL,"
    " games bigint NOT NULL, wins bigint NOT NULL, draws bigint NOT NULL, losses bigint NOT NULL,"
    " at bigint NOT NULL, PRIMARY KEY (engine, bot))",
    "CREATE TABLE gamehub.league_runs (id bigint PRIMARY KEY, engine bytea NOT NULL,"
    " format bigint NOT NULL, games bigint NOT NULL, bots bytea NOT NULL,"
    " patience bigint NOT NULL, state bigint NOT NULL, made bigint NOT NULL)",
};

// Members of schema 5 use the same tables, and do not start once games may be asleep.
constexpr const char* tables_of_6[] = {
    // The games that are asleep, in the log of no member. Columns as in the SQLite file, and the
    // engine that a game needs, as journal::engine_name() has it.
    "CREATE TABLE gamehub.asleep (game bigint PRIMARY KEY, due bigint NOT NULL,"
    " since bigint NOT NULL, listed text, engine bytea NOT NULL, to_move bigint NOT NULL,"
    " records bigint NOT NULL, sum bigint NOT NULL, log bytea NOT NULL)",
    "CREATE INDEX asleep_by_due ON gamehub.asleep (due, game)",
    "CREATE INDEX asleep_listed ON gamehub.asleep (listed, game) WHERE listed IS NOT NULL",
    "CREATE TABLE gamehub.asleep_keys (key bytea NOT NULL, game bigint NOT NULL,"
    " PRIMARY KEY (key, game))",
    "CREATE INDEX asleep_keys_by_game ON gamehub.asleep_keys (game)",
    // How often a member has tried to take games that are asleep, and those of its last tries.
    "CREATE TABLE gamehub.takers (member bigint PRIMARY KEY, tries bigint NOT NULL)",
    "CREATE TABLE gamehub.taken (member bigint NOT NULL, game bigint NOT NULL,"
    " try bigint NOT NULL, due bigint NOT NULL, since bigint NOT NULL, to_move bigint NOT NULL,"
    " PRIMARY KEY (member, game))",
    // One row: the latest time at which a member looked for games that are due; and the times in
    // which none did.
    "CREATE TABLE gamehub.looked (at bigint NOT NULL)",
    "INSERT INTO gamehub.looked (at) VALUES (0)",
    "CREATE TABLE gamehub.pauses (began bigint NOT NULL, ended bigint NOT NULL)",
};

// What a statement fails with if another member creates the schema at the same moment.
bool is_a_race(const error& e) {
  constexpr std::array states{"23505", "42P06", "42P07", "42701", "40001", "40P01"};
  return std::find(states.begin(), states.end(), e.sqlstate()) != states.end();
}

void send_tables_of_4(connection& c) {
  for (const auto* text : tables_of_4) c.send(text);
  c.send("INSERT INTO gamehub.cluster (id) VALUES ($1)",
         {std::string_view{base::system_entropy{}.secret()}});
}

// No member can start any more that does not know this format.
void send_format(connection& c, std::uint64_t format) {
  c.send("UPDATE gamehub.changes SET count = $1 WHERE what = 'record-format'", {number(format)});
  if (format > record_format_least)
    c.send("UPDATE gamehub.version SET least = greatest(least, $1)",
           {std::int64_t{schema_with_formats}});
}

std::optional<std::uint64_t> format_of(connection& c) {
  const auto row = c.run("SELECT count FROM gamehub.changes WHERE what = 'record-format'");
  return row.rows() == 0 ? std::nullopt : std::optional{row.natural(0, 0)};
}

void create(connection& c) {
  c.send("BEGIN");
  for (const auto* text : tables_of_1) c.send(text);
  for (const auto* text : tables_of_2) c.send(text);
  for (const auto* text : tables_of_3) c.send(text);
  send_tables_of_4(c);
  for (const auto* text : tables_of_5) c.send(text);
  for (const auto* text : tables_of_6) c.send(text);
  c.send("INSERT INTO gamehub.version (version, least) VALUES ($1, $2)",
         {std::int64_t{schema_newest}, std::int64_t{schema_least}});
  // No earlier member is there.
  send_format(c, record_format_newest());
  c.send("COMMIT");
  const auto done = c.finish();
  if (done.failed) throw error{done.why};
}

// Of members that upgrade at the same moment, all but one fail: the tables are there already.
void upgrade(connection& c, std::int64_t from) {
  c.send("BEGIN");
  // First: all others wait here for the one that succeeds.
  c.send("UPDATE gamehub.version SET version = $1 WHERE version = $2",
         {std::int64_t{schema_newest}, from});
  if (from < 2)
    for (const auto* text : tables_of_2) c.send(text);
  if (from < 3)
    for (const auto* text : tables_of_3) c.send(text);
  if (from < 4) send_tables_of_4(c);
  if (from < 5)
    for (const auto* text : tables_of_5) c.send(text);
  for (const auto* text : tables_of_6) c.send(text);
  c.send("COMMIT");
  const auto done = c.finish();
  if (done.failed) throw error{done.why};
}

void check_format(std::uint64_t format) {
  const auto newest = record_format_newest();
  if (format > newest)
    throw unusable_log{"the hubs of the cluster write record format " + std::to_string(format) +
                       ", and this gamehub reads formats up to " + std::to_string(newest) +
                       ": use a newer one."};
}

}  // namespace

bool check_schema(connection& c) {
  if (c.run("SELECT 1::bigint WHERE to_regclass('gamehub.version') IS NOT NULL").rows() == 0)
    return false;
  const auto row = c.run("SELECT version, least FROM gamehub.version");
  if (row.rows() != 1)
    throw unusable_log{
        "the schema gamehub of the cluster's database is not gamehub's: name "
        "another database."};
  if (row.number(0, 1) > schema_newest)
    throw unusable_log{"the cluster's database has schema " + std::to_string(row.number(0, 0)) +
                       ", which needs a gamehub that knows schema " +
                       std::to_string(row.number(0, 1)) + "; this one knows " +
                       std::to_string(schema_newest) + ": use a newer one."};
  if (row.number(0, 0) >= schema_with_formats)
    check_format(format_of(c).value_or(record_format_least));
  return true;
}

raised_format raise_record_format(connection& c) {
  const auto newest = record_format_newest();
  if (!check_schema(c) || !format_of(c))
    throw unusable_log{
        "no hub of this version has used the cluster's database: update the hubs first"};
  c.run("BEGIN");
  // Who becomes a member waits, and then reads the new format.
  c.run("SELECT 1::bigint FROM gamehub.changes WHERE what = 'record-format' FOR UPDATE");
  if (format_of(c) == newest) {
    c.run("COMMIT");
    return {newest, false};
  }
  const auto old = c.run(
      "SELECT m.id, m.build, m.address, m.reads FROM gamehub.members m"
      " JOIN gamehub.heartbeats h ON h.member = m.id"
      " WHERE NOT h.gone AND m.adopted_by IS NULL AND m.reads < $1 ORDER BY m.id LIMIT 1",
      {number(newest)});
  if (old.rows() != 0)
    throw unusable_log{"member " + std::to_string(old.number(0, 0)) + " (gamehub " +
                       std::string{old.bytes(0, 1)} + " at " + std::string{old.bytes(0, 2)} +
                       ") reads record formats up to " + std::to_string(old.number(0, 3)) +
                       ", and " + std::to_string(newest) +
                       " is the next one: update it, or wait until another hub has adopted it"};
  send_format(c, newest);
  c.send("COMMIT");
  const auto done = c.finish();
  if (done.failed) throw error{done.why};
  return {newest, true};
}

void bring_up_schema(connection& c) {
  for (int tries = 1;; ++tries) {
    try {
      if (!check_schema(c)) return create(c);
      const auto version = c.run("SELECT version FROM gamehub.version").number(0, 0);
      if (version < schema_newest) upgrade(c, version);
      return;
    } catch (const error& e) {
      if (!is_a_race(e) || tries == schema_tries) throw;
    }
  }
}

}  // namespace gamehub::journal::postgres
