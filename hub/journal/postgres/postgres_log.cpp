#include "hub/journal/postgres/postgres_log.hpp"

#include "hub/journal/encoding.hpp"
#include "hub/journal/group_commit.hpp"
#include "hub/journal/postgres/schema.hpp"
#include "hub/journal/postgres/statements.hpp"
#include "hub/journal/record_format.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gamehub::journal::postgres {

namespace {

// Loops call the reading functions: they wait little, and not at all for some time after a failure.
constexpr connection::limits reader_limits{std::chrono::seconds{1}, std::chrono::seconds{2}};
constexpr std::chrono::seconds reader_pause{1};

struct statement_text {
  const char* name;
  const char* text;
};
constexpr statement_text writer_statements[] = {
    {"begin", "BEGIN"},
    {"commit", "COMMIT"},
    // The share lock waits for an adoption that is under way, and then sees it; an adoption waits
    // for the end of this transaction.
    {"add_batch",
     "WITH me AS MATERIALIZED (SELECT freed FROM gamehub.members"
     "  WHERE id = $1::bigint AND adopted_by IS NULL FOR SHARE),"
     " added AS (INSERT INTO gamehub.batches"
     "  (member, number, at, last_game, last_player, sum, bytes)"
     "  SELECT $1::bigint, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bytea"
     "  FROM me WHERE ($8::bigint = 0 OR current_setting('synchronous_standby_names') <> '')"
     "  AND me.freed < $2 AND ($2 = 1 OR me.freed = $2 - 1 OR EXISTS"
     "   (SELECT 1 FROM gamehub.batches WHERE member = $1 AND number = $2 - 1))"
     "  ON CONFLICT DO NOTHING RETURNING 1)"
     " SELECT 1 / count(*) FROM added"},
    {"add_games",
     "INSERT INTO gamehub.games (id, ended, records, sum, log) SELECT * FROM unnest"
     " ($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])"},
    {"drop_kept", "DELETE FROM gamehub.kept WHERE member = $1 AND game = $2"},
    {"keep",
     "INSERT INTO gamehub.kept (member, game, records, sum, log, why)"
     " VALUES ($1, $2, $3, $4, $5, $6)"
     " ON CONFLICT (member, game) DO UPDATE SET records = $3, sum = $4, log = $5, why = $6"},
    // The later statements of the transaction find the new member in a setting of it.
    {"add_parcel",
     "WITH parcel AS (INSERT INTO gamehub.members (address, build)"
     "  SELECT address, build FROM gamehub.members WHERE id = $1 RETURNING id),"
     " left_it AS (INSERT INTO gamehub.heartbeats (member, games, gone, engines)"
     "  SELECT id, $2::bigint, true, $3 FROM parcel),"
     " arena AS (UPDATE gamehub.league SET heir = parcel.id FROM parcel WHERE member = $1::bigint)"
     " SELECT set_config('gamehub.parcel', id::text, true) FROM parcel"},
    {"hand_over",
     "INSERT INTO gamehub.kept (member, game, records, sum, log)"
     " VALUES (current_setting('gamehub.parcel')::bigint, $1, $2, $3, $4)"},
    {"hand_over_keys",
     "WITH RECURSIVE adopted (id) AS ("
     "  SELECT id FROM gamehub.members WHERE adopted_by = $1::bigint"
     "  UNION SELECT m.id FROM gamehub.members m JOIN adopted a ON m.adopted_by = a.id)"
     " UPDATE gamehub.claims SET member = current_setting('gamehub.parcel')::bigint"
     " WHERE key = ANY ($2::text::bytea[])"
     " AND greatest(member, -1 - member) IN (SELECT id FROM adopted)"},
    {"hand_over_own_keys",
     "WITH RECURSIVE mine (id) AS (SELECT $1::bigint"
     "  UNION SELECT m.id FROM gamehub.members m JOIN mine a ON m.adopted_by = a.id)"
     " UPDATE gamehub.claims SET member = current_setting('gamehub.parcel')::bigint"
     " WHERE key = ANY ($2::text::bytea[])"
     " AND greatest(member, -1 - member) IN (SELECT id FROM mine)"},
    {"fall_asleep",
     "INSERT INTO gamehub.asleep"
     " (game, due, since, listed, engine, to_move, records, sum, log)"
     " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"},
    {"fall_asleep_keys",
     "INSERT INTO gamehub.asleep_keys (key, game)"
     " SELECT DISTINCT key, $1::bigint FROM unnest($2::text::bytea[]) AS key"},
    {"hand_over_suspect",
     "INSERT INTO gamehub.suspicions (member, game)"
     " VALUES (current_setting('gamehub.parcel')::bigint, $1)"},
    {"announce",
     "INSERT INTO gamehub.suspicions (member, game) VALUES ($1, $2) ON CONFLICT DO NOTHING"},
    {"clear", "DELETE FROM gamehub.suspicions WHERE member = $1 AND game = $2"},
    {"free_batches", "DELETE FROM gamehub.batches WHERE member = $1 AND number < $2"},
    {"note_freed",
     "UPDATE gamehub.members SET freed = $2::bigint - 1 WHERE id = $1 AND freed < $2::bigint - 1"},
    {"look",
     "SELECT adopted_by, freed,"
     " (SELECT sum FROM gamehub.batches WHERE member = $1 AND number = $2),"
     " (SELECT 1::bigint FROM gamehub.batches WHERE member = $1 AND number = $2 - 1),"
     " (current_setting('synchronous_standby_names') <> '')::int::bigint"
     " FROM gamehub.members WHERE id = $1"},
    {"confirm",
     "INSERT INTO gamehub.confirmations AS c (member, count) VALUES ($1, 1)"
     " ON CONFLICT (member) DO UPDATE SET count = c.count + 1"},
    // Each try of a change of keys has a greater number than those before it. One of a connection
    // that was cut is not executed after a later one.
    {"begin_keys",
     "WITH begun AS (INSERT INTO gamehub.claimers AS c (member, tries)"
     "  VALUES ($1::bigint, $2::bigint)"
     "  ON CONFLICT (member) DO UPDATE SET tries = $2 WHERE c.tries < $2 RETURNING 1)"
     " SELECT 1 / count(*) FROM begun"},
    // Members that claim the same keys at the same moment wait for each other in one order.
    {"claim_keys",
     "INSERT INTO gamehub.claims AS c (key, member)"
     " SELECT DISTINCT key, $1::bigint FROM unnest($2::text::bytea[]) AS key ORDER BY key"
     " ON CONFLICT (key) DO UPDATE SET member = $1"
     " WHERE c.member = $1 OR c.member = $3 RETURNING key"},
    {"inherit_keys",
     "INSERT INTO gamehub.claims AS c (key, member)"
     " SELECT DISTINCT key, $1::bigint FROM unnest($2::text::bytea[]) AS key ORDER BY key"
     " ON CONFLICT (key) DO UPDATE SET member = $1"
     " WHERE c.member IN ($1, -1, -1 - $1::bigint) OR EXISTS ("
     "  WITH RECURSIVE up (id) AS ("
     "   SELECT m.adopted_by FROM gamehub.members m WHERE m.id = greatest(c.member, -1 - c.member)"
     "   UNION SELECT m.adopted_by FROM gamehub.members m JOIN up ON m.id = up.id)"
     "  SELECT 1 FROM up WHERE id = $1) RETURNING key"},
    // Keys of games that are asleep are those of member -1, which does not exist; and of member
    // -1 - N when member N has taken the game, until it asks for them.
    {"free_keys",
     "WITH stay AS (UPDATE gamehub.claims c SET member = -1"
     "  WHERE member = $1 AND key = ANY ($2::text::bytea[])"
     "  AND EXISTS (SELECT 1 FROM gamehub.asleep_keys k WHERE k.key = c.key))"
     " DELETE FROM gamehub.claims c WHERE member = $1 AND key = ANY ($2::text::bytea[])"
     " AND NOT EXISTS (SELECT 1 FROM gamehub.asleep_keys k WHERE k.key = c.key)"},
    // A member that was released has no heartbeat. Its adopter may have died before it did this.
    // The players then are in the adopter's log until that is released, too.
    {"free_released_keys",
     "WITH RECURSIVE up (member, id) AS ("
     "  SELECT DISTINCT c.member, greatest(c.member, -1 - c.member) FROM gamehub.claims c"
     "   WHERE c.member NOT IN ($1::bigint, -1, -1 - $1::bigint)"
     "  UNION SELECT up.member, m.adopted_by FROM up JOIN gamehub.members m ON m.id = up.id"
     "   WHERE NOT EXISTS (SELECT 1 FROM gamehub.heartbeats h WHERE h.member = up.id))"
     ", stay AS (UPDATE gamehub.claims c SET member = -1"
     "  WHERE member IN (SELECT member FROM up WHERE id = $1)"
     "  AND EXISTS (SELECT 1 FROM gamehub.asleep_keys k WHERE k.key = c.key))"
     " DELETE FROM gamehub.claims c WHERE member IN (SELECT member FROM up WHERE id = $1)"
     " AND NOT EXISTS (SELECT 1 FROM gamehub.asleep_keys k WHERE k.key = c.key)"},
};
constexpr statement_text reader_statements[] = {
    {"ended", "SELECT ended, records, sum, log FROM gamehub.games WHERE id = $1"},
    {"quarantined",
     "SELECT 0::bigint, records, sum, log FROM gamehub.kept"
     " WHERE game = $1 AND why IS NOT NULL"},
    {"list", "SELECT id FROM gamehub.games WHERE id < $1 ORDER BY id DESC LIMIT $2"},
    {"asleep",
     "SELECT game, due, since, to_move, records, sum, log FROM gamehub.asleep WHERE game = $1"},
    {"pauses", "SELECT began, ended FROM gamehub.pauses ORDER BY ended"},
    {"asleep_with",
     "SELECT k.game FROM gamehub.asleep_keys k JOIN gamehub.asleep a ON a.game = k.game"
     " WHERE k.key = $1::bytea ORDER BY a.due LIMIT $2"},
    {"list_asleep",
     "SELECT game FROM gamehub.asleep WHERE listed IS NOT NULL AND game < $1"
     " ORDER BY game DESC LIMIT $2"},
    {"list_asleep_of",
     "SELECT game FROM gamehub.asleep WHERE listed = $3 AND game < $1 ORDER BY game DESC LIMIT $2"},
};

template <class Statements>
void prepare_all(connection& c, const Statements& all) {
  for (const auto& s : all) c.prepare(s.name, s.text);
}

std::string why_waiting(const std::string& what) {
  return "The cluster's database can't be written (" + what +
         "). Nothing is lost: what players do waits for it.";
}

// The row of a game, if its sum is that of its bytes.
struct read_row {
  record_number records = 0;
  std::string_view log;
};
std::optional<read_row> row_of(game_id id, const result& r, bool ended) {
  if (r.rows() == 0) return std::nullopt;
  const read_row row{r.natural(0, 1), r.bytes(0, 3)};
  const auto sum = ended ? sum_of_ended(id, time_of(r.number(0, 0)), row.records, row.log)
                         : checksum_of_retained(id, row.records, row.log);
  return sum == r.number(0, 2) ? std::optional{row} : std::nullopt;
}

// An owner of the log that died before it released it may have ended some of its games.
void leave_out_closed(connection& c, open_game_recovery& logs) {
  std::string ids;
  for (const auto& [id, log] : logs.games)
    if (!log.quarantined) ids += (ids.empty() ? "{" : ",") + std::to_string(id.value);
  if (ids.empty()) return;
  const auto closed = c.run(
      "SELECT id FROM gamehub.games WHERE id = ANY ($1::text::bigint[])"
      " UNION SELECT game FROM gamehub.kept WHERE why IS NOT NULL AND game = ANY "
      "($1::text::bigint[])",
      {std::string_view{ids += '}'}});
  for (int i = 0; i < closed.rows(); ++i) logs.games.erase(game_id{closed.natural(i, 0)});
}

result only_result(connection& c, const char* name, const std::vector<value>& all) {
  c.send(name, all);
  auto done = c.finish();
  if (done.failed) throw error{done.why};
  return std::move(done.results.at(0));
}

// Throws unusable_log if commits do not wait for a standby, or would wait in vain. A role without
// the right to see the state of standbys (pg_monitor) only sees how many there are.
void check_standby(connection& c) {
  const auto row = c.run(
      "SELECT (current_setting('synchronous_standby_names') <> '')::int::bigint,"
      " (SELECT count(*) FROM pg_stat_replication"
      "  WHERE sync_state IS NULL OR sync_state IN ('sync', 'quorum'))");
  if (row.number(0, 0) == 0)
    throw unusable_log{
        "--durability machine needs a synchronous standby, and the cluster's database has none: "
        "set "
        "its synchronous_standby_names, or give --durability power"};
  if (row.number(0, 1) == 0)
    throw unusable_log{
        "--durability machine needs a synchronous standby, and none is connected to the cluster's "
        "database: start it, or give --durability power"};
}

// The sentence for an operator about a failure before the log is open.
unusable_log unusable(const error& e) {
  constexpr std::string_view no_right = "42501";
  const auto what = std::string{"the cluster's database can't be used ("} + e.what() + "): ";
  if (e.sqlstate() == no_right)
    return unusable_log{what +
                        "grant the role CREATE on the database, or all rights in its schema "
                        "gamehub"};
  return unusable_log{what +
                      "give --cluster the connection string of a PostgreSQL database that accepts "
                      "writes"};
}

// Fails the transaction if this member is adopted, and keeps it from being adopted until the end of
// the transaction.
void send_check(connection& c, member_id self) {
  c.send(
      "SELECT 1 / count(*) FROM (SELECT 1 FROM gamehub.members"
      " WHERE id = $1::bigint AND adopted_by IS NULL FOR SHARE) AS me",
      {number(self.value)});
}

}  // namespace

postgres_log::postgres_log(postgres_settings s)
    : settings_(std::move(s)), taker_(settings_.target) {}

// Returns the writer's connection, and connects if necessary. Throws error.
connection& postgres_log::connected() {
  if (connection_) return *connection_;
  auto made = std::make_unique<connection>(settings_.target, settings_.limits);
  prepare_all(*made, writer_statements);
  connection_ = std::move(made);
  ++session_;
  return *connection_;
}

void check_log(const postgres_settings& s) {
  try {
    connection c{s.target, s.limits};
    check_schema(c);
    if (s.needs_standby) check_standby(c);
  } catch (const error& e) {
    throw unusable(e);
  }
}

raised_format raise_record_format(const std::string& target) {
  try {
    connection c{target, {}};
    return raise_record_format(c);
  } catch (const error& e) {
    throw unusable(e);
  }
}

log_contents postgres_log::open() {
  try {
    auto first = std::make_unique<connection>(settings_.target, settings_.limits);
    place_ = first->place();
    if (settings_.needs_standby) check_standby(*first);
    bring_up_schema(*first);
    first.reset();
    auto& c = connected();
    // No member begins while the format of records is raised, unless it reads the new one.
    const auto row = c.run(
        "WITH fits AS MATERIALIZED (SELECT 1 FROM gamehub.changes"
        "  WHERE what = 'record-format' AND count <= $3::bigint FOR SHARE),"
        " me AS (INSERT INTO gamehub.members (address, build, reads)"
        "  SELECT $1::text, $2::text, $3::bigint FROM fits RETURNING id)"
        " INSERT INTO gamehub.heartbeats (member) SELECT id FROM me RETURNING member",
        {std::string_view{settings_.address}, std::string_view{settings_.build},
         number(record_format_newest())});
    if (row.rows() == 0) {
      check_schema(c);
      throw unusable_log{
          "the table gamehub.changes of the cluster's database must have the row record-format: "
          "bring back the row that it had"};
    }
    self_ = member_id{row.natural(0, 0)};
    const auto cluster = c.run("SELECT id FROM gamehub.cluster");
    if (cluster.rows() != 1)
      throw unusable_log{
          "the table gamehub.cluster of the cluster's database must have one row: bring back the "
          "row that it had"};
    cluster_ = cluster.bytes(0, 0);
    log_contents all;
    // Games are deleted from one end only. A number that a failed transaction took is counted.
    all.ended =
        c.run("SELECT coalesce(max(seq) - min(seq) + 1, 0) FROM gamehub.games").natural(0, 0);
    return all;
  } catch (const error& e) {
    throw unusable(e);
  }
}

bool postgres_log::publish_link(std::string_view address) {
  try {
    return connected()
               .run("UPDATE gamehub.members SET link = $2 WHERE id = $1",
                    {number(self_.value), address})
               .changed() == 1;
  } catch (const std::exception& e) {
    failed(e);
    return false;
  }
}

append_result postgres_log::failed(const std::exception& e) {
  connection_.reset();
  return {append_outcome::unknown, why_waiting(e.what())};
}

append_result postgres_log::append(const log_batch& b) {
  try {
    auto& c = connected();
    c.send("begin");
    send_parts(c, b);
    c.send("commit");
    const auto done = c.finish();
    if (committed(done)) return {append_outcome::written, {}};
    if (!done.failed) return {append_outcome::unknown, why_waiting("no standby has confirmed it")};
    if (done.why.sqlstate() == not_allowed) return look(b);
    return {append_outcome::unknown, why_waiting(done.why.what())};
  } catch (const std::exception& e) {
    return failed(e);
  }
}

void postgres_log::send_ended(connection& c, const log_batch& b) {
  if (b.ended.empty()) return;
  column ids{column::type::bigint}, ends = ids, records = ids, sums = ids;
  column logs{column::type::bytea};
  for (const auto& g : b.ended) {
    ids.add(static_cast<std::int64_t>(g.id.value));
    ends.add(ms_of(g.ended));
    records.add(static_cast<std::int64_t>(g.records));
    sums.add(sum_of_ended(g.id, g.ended, g.records, g.log));
    logs.add(g.log);
  }
  c.send("add_games", {ids.all(), ends.all(), records.all(), sums.all(), logs.all()});
  for (const auto& g : b.ended)
    if (g.was_kept) c.send("drop_kept", {number(self_.value), number(g.id.value)});
}

void postgres_log::send_parts(connection& c, const log_batch& b) {
  const auto self = number(self_.value);
  c.send("add_batch", {self, number(b.number), ms_of(b.at), number(b.last.game.value),
                       number(b.last.player.value), b.sum, bytes{b.entries},
                       std::int64_t{settings_.needs_standby}});
  send_ended(c, b);
  for (const auto& k : b.kept)
    c.send("keep", {self, number(k.id.value), number(k.records),
                    checksum_of_retained(k.id, k.records, k.log), bytes{k.log},
                    k.quarantined ? value{*k.quarantined} : value{}});
  if (!b.released.empty()) {
    const auto engines = to_lines(engines_of(b.released));
    c.send("add_parcel", {self, number(b.released.size()), std::string_view{engines}});
  }
  for (const auto& g : b.released) {
    c.send("hand_over", {number(g.id.value), number(g.records),
                         checksum_of_retained(g.id, g.records, g.log), bytes{g.log}});
    if (g.suspected) c.send("hand_over_suspect", {number(g.id.value)});
    if (!g.keys.empty()) {
      const auto keys = array_of(g.keys);
      c.send(g.own_keys ? "hand_over_own_keys" : "hand_over_keys", {self, std::string_view{keys}});
    }
    if (g.was_kept) c.send("drop_kept", {self, number(g.id.value)});
  }
  for (const auto& s : b.asleep) {
    auto log = s.log;
    const auto header = take_header(log);
    const auto engine = header ? engine_name(header->engine, header->engine_version) : "";
    const auto& e = *s.entry;
    c.send("fall_asleep", {number(s.id.value), ms_of(e.due), ms_of(e.since),
                           e.listed.empty() ? value{} : value{std::string_view{e.listed}},
                           bytes{engine}, number(e.to_move), number(s.records),
                           checksum_of_retained(s.id, s.records, s.log), bytes{s.log}});
    const auto keys = array_of(e.keys);
    c.send("fall_asleep_keys", {number(s.id.value), std::string_view{keys}});
    if (s.was_kept) c.send("drop_kept", {self, number(s.id.value)});
  }
  for (const auto& s : b.suspicions)
    c.send(s.announced ? "announce" : "clear", {self, number(s.game.value)});
  if (b.free_below == 0) return;
  c.send("free_batches", {self, number(b.free_below)});
  c.send("note_freed", {self, number(b.free_below)});
}

// Finds out why the batch was not inserted. A later statement sees what that one may not have seen:
// the end of a transaction that it waited for.
append_result postgres_log::look(const log_batch& b) {
  const auto row = only_result(*connection_, "look", {number(self_.value), number(b.number)});
  const auto conflict = [](const std::string& what) {
    return append_result{append_outcome::conflict,
                         "The cluster's database is not as this hub left it: " + what +
                             ". Nothing is written over it; bring back the newer database."};
  };
  const auto name =
      "batch " + std::to_string(b.number) + " of member " + std::to_string(self_.value);
  if (row.rows() == 0) return conflict("member " + std::to_string(self_.value) + " is missing");
  if (!row.is_null(0, 0))
    return {append_outcome::fenced, "Member " + std::to_string(row.number(0, 0)) +
                                        " has adopted the games of this hub, which was away for "
                                        "too long: it must start again."};
  if (settings_.needs_standby && row.number(0, 4) == 0)
    return {append_outcome::unknown, why_waiting("it has no synchronous standby")};
  if (!row.is_null(0, 2)) {
    if (row.number(0, 2) != b.sum) return conflict(name + " is another one");
    seen_in_ = session_;
    return {append_outcome::present, {}};
  }
  if (row.natural(0, 1) >= b.number) return conflict(name + " was deleted");
  if (b.number != 1 && row.natural(0, 1) + 1 < b.number && row.is_null(0, 3))
    return conflict("the batch before " + name + " is missing");
  return {append_outcome::unknown, why_waiting("another transaction was under way")};
}

// What a session sees is on the standby when the session's own later transaction is.
bool postgres_log::write_something() {
  auto& c = *connection_;
  c.send("BEGIN");
  c.send("confirm", {number(self_.value)});
  c.send("COMMIT");
  return committed(c.finish());
}

append_result postgres_log::confirm() {
  try {
    if (connection_ && seen_in_ == session_ && write_something())
      return {append_outcome::written, {}};
    return {append_outcome::unknown, why_waiting("no standby has confirmed it")};
  } catch (const std::exception& e) {
    return failed(e);
  }
}

std::optional<std::int64_t> postgres_log::find_batch(batch_number n) {
  const auto row =
      connected().run("SELECT sum FROM gamehub.batches WHERE member = $1 AND number = $2",
                      {number(self_.value), number(n)});
  return row.rows() == 0 ? std::nullopt : std::optional{row.number(0, 0)};
}

std::uint64_t postgres_log::delete_ended(base::wall_time before, std::int64_t most) {
  return connected()
      .run(
          "DELETE FROM gamehub.games WHERE seq IN (SELECT seq FROM"
          " (SELECT seq, ended FROM gamehub.games ORDER BY seq LIMIT $2) AS oldest"
          " WHERE ended < $1)",
          {ms_of(before), most})
      .changed();
}

std::uint64_t postgres_log::bytes_used() {
  return connected()
      .run(
          "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class"
          " WHERE relnamespace = 'gamehub'::regnamespace AND relkind = 'r'")
      .natural(0, 0);
}

adoption postgres_log::adopt(member_id other) {
  try {
    auto& c = connected();
    c.send("BEGIN");
    send_check(c, self_);
    // It waits for an append of the other member. Everything is read by later statements: this one
    // does not see that append.
    c.send(
        "UPDATE gamehub.members SET adopted_by = $1::bigint"
        " WHERE id = $2::bigint AND id <> $1::bigint AND adopted_by IS NULL",
        {number(self_.value), number(other.value)});
    c.send("COMMIT");
    const auto done = c.finish();
    if (done.failed)
      return done.why.sqlstate() == not_allowed ? look_at_owner(other) : adoption::unknown;
    if (!committed(done)) return adoption::unknown;
    return done.results.at(2).changed() == 1 ? adoption::adopted : look_at_owner(other);
  } catch (const std::exception&) {
    connection_.reset();
    return adoption::unknown;
  }
}

adoption postgres_log::look_at_owner(member_id other) {
  const auto row = connection_->run(
      "WITH RECURSIVE chain (id, adopted_by) AS ("
      " SELECT id, adopted_by FROM gamehub.members WHERE id = $2::bigint"
      " UNION SELECT m.id, m.adopted_by FROM gamehub.members m JOIN chain ON m.id = "
      "chain.adopted_by)"
      " SELECT (SELECT adopted_by FROM gamehub.members WHERE id = $1::bigint),"
      " (SELECT id FROM chain WHERE adopted_by IS NULL)",
      {number(self_.value), number(other.value)});
  if (!row.is_null(0, 0)) return adoption::fenced;
  if (row.is_null(0, 1)) return adoption::absent;
  if (row.natural(0, 1) != self_.value) return adoption::taken;
  // An earlier try of this member may have been on one machine only.
  return write_something() ? adoption::adopted : adoption::unknown;
}

std::vector<member_id> postgres_log::logs_of(member_id other) {
  connection c{settings_.target, settings_.limits};
  const auto r = c.run(
      "WITH RECURSIVE chain (id, depth) AS (SELECT $1::bigint, 0"
      " UNION ALL SELECT m.id, depth + 1 FROM gamehub.members m"
      " JOIN chain ON m.adopted_by = chain.id JOIN gamehub.heartbeats h ON h.member = m.id)"
      " SELECT id FROM chain ORDER BY depth, id DESC",
      {number(other.value)});
  std::vector<member_id> all;
  for (int i = 0; i < r.rows(); ++i) all.push_back(member_id{r.natural(i, 0)});
  return all;
}

// The writer's connection goes on meanwhile.
log_contents postgres_log::recover(member_id other) {
  connection c{settings_.target, settings_.limits};
  return read_log(c, other);
}

log_contents read_log(connection& c, member_id of_member) {
  const std::vector<value> of{number(of_member.value)};
  recovery all;
  const auto kept =
      c.run("SELECT game, records, sum, log, why FROM gamehub.kept WHERE member = $1", of);
  for (int i = 0; i < kept.rows(); ++i) {
    recovery::kept_row row{
        game_id{kept.natural(i, 0)}, kept.natural(i, 1), kept.number(i, 2), kept.bytes(i, 3), {}};
    if (!kept.is_null(i, 4)) row.quarantined = kept.bytes(i, 4);
    all.add_kept(row);
  }
  const auto batches = c.run(
      "SELECT number, at, last_game, last_player, sum, bytes FROM gamehub.batches"
      " WHERE member = $1 ORDER BY number",
      of);
  for (int i = 0; i < batches.rows(); ++i)
    all.add_batch({batches.natural(i, 0),
                   time_of(batches.number(i, 1)),
                   {game_id{batches.natural(i, 2)}, player_id{batches.natural(i, 3)}},
                   batches.number(i, 4),
                   batches.bytes(i, 5)});
  log_contents found;
  found.logs = all.finish([&](game_id id) {
    return c.run("SELECT id FROM gamehub.games WHERE id = $1", {number(id.value)}).rows() != 0;
  });
  leave_out_closed(c, found.logs);
  const auto suspicions = c.run("SELECT game FROM gamehub.suspicions WHERE member = $1", of);
  for (int i = 0; i < suspicions.rows(); ++i)
    found.suspicions[game_id{suspicions.natural(i, 0)}] = 1;
  for (const auto& [id, log] : found.logs.games) found.quarantined += log.quarantined ? 1u : 0u;
  found.ended =
      c.run("SELECT coalesce(max(seq) - min(seq) + 1, 0) FROM gamehub.games").natural(0, 0);
  found.left_open = true;
  return found;
}

bool postgres_log::release(std::span<const member_id> members) {
  try {
    auto& c = connected();
    c.send("BEGIN");
    send_check(c, self_);
    for (const auto m : members) {
      const auto of = number(m.value);
      c.send("DELETE FROM gamehub.batches WHERE member = $1", {of});
      c.send("DELETE FROM gamehub.kept WHERE member = $1 AND why IS NULL", {of});
      c.send("DELETE FROM gamehub.suspicions WHERE member = $1", {of});
      c.send("DELETE FROM gamehub.confirmations WHERE member = $1", {of});
      c.send("DELETE FROM gamehub.heartbeats WHERE member = $1", {of});
      c.send("DELETE FROM gamehub.claimers WHERE member = $1", {of});
      c.send("DELETE FROM gamehub.takers WHERE member = $1", {of});
      c.send("DELETE FROM gamehub.taken WHERE member = $1", {of});
    }
    c.send("COMMIT");
    return committed(c.finish());
  } catch (const std::exception&) {
    connection_.reset();
    return false;
  }
}

std::optional<id_block> postgres_log::claim_ids(id_kind kind) {
  try {
    auto& c = connected();
    c.send("BEGIN");
    c.send(
        "INSERT INTO gamehub.ids AS i (kind, last) VALUES ($1, $2)"
        " ON CONFLICT (kind) DO UPDATE SET last = i.last + $2 RETURNING last",
        {to_string(kind), number(id_block_size)});
    c.send("COMMIT");
    const auto done = c.finish();
    if (!committed(done)) return std::nullopt;
    return id_block{done.results.at(1).natural(0, 0) - id_block_size + 1, id_block_size};
  } catch (const std::exception&) {
    connection_.reset();
    return std::nullopt;
  }
}

std::optional<std::vector<std::string>> postgres_log::change_keys(const key_change& what) {
  constexpr std::size_t first_statement = 3;  // after BEGIN and two checks
  try {
    auto& c = connected();
    const auto self = number(self_.value);
    const auto keys = array_of(what.keys);
    c.send("BEGIN");
    send_check(c, self_);
    c.send("begin_keys", {self, number(++key_changes_)});
    switch (what.what) {
      case key_change::kind::claim:
        c.send("claim_keys", {self, std::string_view{keys}, number(what.from.value)});
        break;
      case key_change::kind::inherit: c.send("inherit_keys", {self, std::string_view{keys}}); break;
      case key_change::kind::free: c.send("free_keys", {self, std::string_view{keys}}); break;
    }
    if (what.of_released) c.send("free_released_keys", {self});
    c.send("COMMIT");
    const auto done = c.finish();
    if (!committed(done)) return std::nullopt;
    std::vector<std::string> owned;
    const auto& rows = done.results.at(first_statement);
    for (int i = 0; i < rows.rows(); ++i) owned.emplace_back(rows.bytes(i, 0));
    return owned;
  } catch (const std::exception&) {
    connection_.reset();
    return std::nullopt;
  }
}

// Connects if necessary and runs the function. A failure counts as nothing found.
template <class Work>
void postgres_log::attempt_to_read(Work work) noexcept {
  const std::lock_guard lock{reading_};
  const auto now = std::chrono::steady_clock::now();
  try {
    if (!reader_) {
      if (now < no_reader_until_) return;
      auto made = std::make_unique<connection>(settings_.target, reader_limits);
      prepare_all(*made, reader_statements);
      reader_ = std::move(made);
    }
    work(*reader_);
  } catch (const std::exception&) {
    reader_.reset();
    no_reader_until_ = now + reader_pause;
  }
}

std::vector<record> postgres_log::read(game_id id, record_number after) noexcept {
  std::vector<record> found;
  attempt_to_read([&](connection& c) {
    for (const auto ended : {true, false}) {
      const auto r = only_result(c, ended ? "ended" : "quarantined", {number(id.value)});
      if (const auto row = row_of(id, r, ended)) found = records_of(row->log, row->records, after);
      if (r.rows() != 0) return;
    }
  });
  return found;
}

std::optional<game_log> postgres_log::find_ended(game_id id) noexcept {
  std::optional<game_log> found;
  attempt_to_read([&](connection& c) {
    const auto r = only_result(c, "ended", {number(id.value)});
    if (const auto row = row_of(id, r, true)) found = log_of(row->log, row->records);
  });
  return found;
}

std::vector<game_id> postgres_log::list(const char* statement, game_id before, std::size_t most,
                                        std::string_view engine) noexcept {
  std::vector<game_id> found;
  constexpr auto greatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  attempt_to_read([&](connection& c) {
    std::vector<value> all{number(std::min(before.value, greatest)),
                           number(std::min<std::uint64_t>(most, greatest))};
    if (!engine.empty()) all.emplace_back(engine);
    const auto r = only_result(c, statement, all);
    for (int i = 0; i < r.rows(); ++i) found.push_back(game_id{r.natural(i, 0)});
  });
  return found;
}

std::vector<game_id> postgres_log::ended_before(game_id id, std::size_t most) noexcept {
  return list("list", id, most);
}

std::vector<game_id> postgres_log::asleep_before(std::string_view engine, game_id id,
                                                 std::size_t most) noexcept {
  return list(engine.empty() ? "list_asleep" : "list_asleep_of", id, most, engine);
}

std::vector<game_id> postgres_log::asleep_with(const std::string& key, std::size_t most) noexcept {
  std::vector<game_id> found;
  attempt_to_read([&](connection& c) {
    const auto r = only_result(c, "asleep_with", {bytes{key}, number(most)});
    for (int i = 0; i < r.rows(); ++i) found.push_back(game_id{r.natural(i, 0)});
  });
  return found;
}

std::optional<log_store::sleeping_log> postgres_log::read_asleep(game_id id) noexcept {
  std::optional<sleeping_log> found;
  attempt_to_read([&](connection& c) {
    c.send("asleep", {number(id.value)});
    c.send("pauses");
    const auto done = c.finish();
    if (done.failed) throw error{done.why};
    auto rows = sleepers_of(done.results.at(0), pauses_of(done.results.at(1)));
    if (!rows.empty()) found = std::move(rows.front().second);
  });
  return found;
}

std::optional<shared_log::taken_games> postgres_log::take_asleep(const sleeper_query& what) {
  return taker_.take(self_, what);
}

}  // namespace gamehub::journal::postgres
