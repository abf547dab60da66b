#include "hub/journal/postgres/sleeper_taker.hpp"

#include "hub/base/text.hpp"
#include "hub/journal/postgres/statements.hpp"

#include <exception>

namespace gamehub::journal::postgres {

namespace {

// Hubs look for games that are due once a minute at least. If none has for this time, the games had
// no hub, and their turns end later.
constexpr std::chrono::minutes pause_min{3};

// Others wait for the thread that calls, and while the database is away they are told so at once.
constexpr connection::limits limits_of_take{std::chrono::seconds{1}, std::chrono::seconds{2}};
constexpr std::chrono::seconds pause_after_failure{1};

// Fails the transaction if this member is adopted, or has begun a later try; and keeps it from
// being adopted until the end of the transaction.
constexpr const char* begin_take =
    "WITH me AS MATERIALIZED (SELECT 1 FROM gamehub.members"
    "  WHERE id = $1::bigint AND adopted_by IS NULL FOR SHARE),"
    " begun AS (INSERT INTO gamehub.takers AS t (member, tries) SELECT $1::bigint, $2::bigint"
    "  FROM me ON CONFLICT (member) DO UPDATE SET tries = $2 WHERE t.tries < $2 RETURNING 1)"
    " SELECT 1 / count(*) FROM begun";

// One look after the other: each statement sees what those before it have written.
constexpr const char* lock_looks = "SELECT at FROM gamehub.looked FOR UPDATE";
constexpr const char* add_pause =
    "INSERT INTO gamehub.pauses (began, ended) SELECT at, $1::bigint FROM gamehub.looked"
    " WHERE at > 0 AND $1::bigint - at > $2::bigint";
constexpr const char* note_look = "UPDATE gamehub.looked SET at = greatest(at, $1::bigint)";

constexpr const char* forget_known = "DELETE FROM gamehub.taken WHERE member = $1 AND try < $2";

constexpr const char* read_taken =
    "SELECT t.game, t.due, t.since, t.to_move, k.records, k.sum, k.log FROM gamehub.taken t"
    " JOIN gamehub.kept k ON k.member = t.member AND k.game = t.game"
    " WHERE t.member = $1 AND t.try >= $2 ORDER BY t.due, t.game";

constexpr const char* read_pauses = "SELECT began, ended FROM gamehub.pauses ORDER BY ended";

// A text for each kind of query, so that each is planned for the index that it needs. The values
// are numbers and hexadecimal digits.
std::string condition_of(const sleeper_query& what) {
  std::string out = " WHERE true";
  if (what.game) out += " AND a.game = " + std::to_string(what.game.value);
  if (!what.keys.empty())
    out += " AND a.game IN (SELECT game FROM gamehub.asleep_keys WHERE key = ANY ('" +
           array_of(what.keys) + "'::text::bytea[]))";
  if (what.due) out += " AND a.due <= " + std::to_string(ms_of(*what.due));
  return out;
}

// The hub of a player wakes its games, if it lives: what the player does there is about them. Games
// that are due are left to it for this time.
constexpr std::chrono::seconds left_to_hub_of_player{10};

// The condition that a living member has a player of the game.
std::string is_of_others(member_id self) {
  return "EXISTS (SELECT 1 FROM gamehub.asleep_keys k JOIN gamehub.claims c ON c.key = k.key"
         " JOIN gamehub.members m ON m.id = greatest(c.member, -1 - c.member)"
         " JOIN gamehub.heartbeats h ON h.member = m.id"
         " WHERE k.game = a.game AND m.adopted_by IS NULL AND NOT h.gone AND m.id <> " +
         std::to_string(self.value) + ")";
}

std::string is_taken_here(member_id self, const sleeper_query& what) {
  if (what.due)
    return " AND (a.due <= " + std::to_string(ms_of(*what.due - left_to_hub_of_player)) +
           " OR NOT " + is_of_others(self) + ")";
  return what.only_ours ? " AND NOT " + is_of_others(self) : "";
}

std::string with_engine_of(const sleeper_query& what) {
  return " AND a.engine = ANY ('" + array_of(what.engines) + "'::text::bytea[])";
}

// A look for games that are due leaves those that another member takes just now. A look for certain
// ones waits until it is known who has them. The rows are locked in one order.
std::string take_of(member_id self, const sleeper_query& what) {
  return "WITH picked AS MATERIALIZED (SELECT a.game FROM gamehub.asleep a" + condition_of(what) +
         with_engine_of(what) + is_taken_here(self, what) + " ORDER BY a.due, a.game LIMIT " +
         std::to_string(what.most) + " FOR UPDATE" + (what.due ? " SKIP LOCKED" : "") +
         "),"
         " gone AS (DELETE FROM gamehub.asleep a USING picked p WHERE a.game = p.game"
         "  RETURNING a.game, a.due, a.since, a.to_move, a.records, a.sum, a.log),"
         " keys AS (DELETE FROM gamehub.asleep_keys k USING gone g WHERE k.game = g.game"
         "  RETURNING k.key),"
         " free AS MATERIALIZED (SELECT c.key FROM gamehub.claims c"
         "  WHERE c.member IN (-1, $1::bigint) AND c.key IN (SELECT key FROM keys) ORDER BY c.key "
         "FOR UPDATE),"
         " mine AS (UPDATE gamehub.claims c SET member = -1 - $1::bigint FROM free f"
         "  WHERE c.key = f.key),"
         " kept AS (INSERT INTO gamehub.kept (member, game, records, sum, log)"
         "  SELECT $1::bigint, game, records, sum, log FROM gone"
         "  ON CONFLICT (member, game) DO UPDATE"
         "  SET records = excluded.records, sum = excluded.sum, log = excluded.log, why = NULL)"
         " INSERT INTO gamehub.taken (member, game, try, due, since, to_move)"
         "  SELECT $1::bigint, game, $2::bigint, due, since, to_move FROM gone"
         " ON CONFLICT (member, game) DO UPDATE"
         " SET try = $2::bigint, due = excluded.due, since = excluded.since,"
         " to_move = excluded.to_move";
}

}  // namespace

bool committed(const answers& a) {
  return !a.failed && !a.warned && !a.results.empty() && a.results.back().command() == "COMMIT";
}

std::string array_of(const std::vector<std::string>& all) {
  std::string out{"{"};
  for (const auto& each : all) {
    out += out.size() == 1 ? R"("\\x)" : R"(,"\\x)";
    out += base::hex_of(each) + '"';
  }
  out += '}';
  return out;
}

std::vector<pause> pauses_of(const result& r) {
  std::vector<pause> all;
  for (int i = 0; i < r.rows(); ++i)
    all.push_back({time_of(r.number(i, 0)), time_of(r.number(i, 1))});
  return all;
}

std::vector<std::pair<game_id, log_store::sleeping_log>> sleepers_of(
    const result& r, const std::vector<pause>& pauses) {
  std::vector<std::pair<game_id, log_store::sleeping_log>> all;
  for (int i = 0; i < r.rows(); ++i) {
    const game_id id{r.natural(i, 0)};
    log_store::sleeping_log log;
    log.due = time_of(r.number(i, 1));
    log.to_move = static_cast<seat_set>(r.natural(i, 3));
    log.records = r.natural(i, 4);
    log.bytes = r.bytes(i, 6);
    log.damaged = checksum_of_retained(id, log.records, log.bytes) != r.number(i, 5);
    for (const auto& p : pauses)
      if (p.ended > time_of(r.number(i, 2))) log.pauses.push_back(p);
    all.emplace_back(id, std::move(log));
  }
  return all;
}

bool sleeper_taker::fits_some(member_id self, const sleeper_query& what,
                              shared_log::taken_games& out) {
  const auto of = condition_of(what);
  const auto asks = [](const std::string& condition) {
    return "(EXISTS (SELECT 1 FROM gamehub.asleep a" + condition + "))::int::bigint, ";
  };
  const auto keys =
      what.keys.empty()
          ? "SELECT key FROM gamehub.asleep_keys WHERE game = " + std::to_string(what.game.value)
          : "SELECT unnest('" + array_of(what.keys) + "'::text::bytea[])";
  const auto text =
      "SELECT " + asks(of + with_engine_of(what) + is_taken_here(self, what)) + asks(of) +
      "(SELECT max(greatest(member, -1 - member)) FROM gamehub.claims WHERE key IN (" + keys +
      ") AND member NOT IN (-1, $1::bigint, -1 - $1::bigint))";
  const auto row = connection_->run(text.c_str(), {number(self.value)});
  out.more = row.number(0, 1) != 0;
  if (!row.is_null(0, 2)) out.elsewhere = member_id{row.natural(0, 2)};
  return row.number(0, 0) != 0;
}

std::optional<shared_log::taken_games> sleeper_taker::take(member_id self,
                                                           const sleeper_query& what) {
  const auto now = std::chrono::steady_clock::now();
  if (!connection_ && now < no_connection_until_) return std::nullopt;
  try {
    if (!connection_) connection_ = std::make_unique<connection>(target_, limits_of_take);
    shared_log::taken_games none;
    // Most questions are about games and players that are not asleep, and cost a look.
    if (!what.due && !uncertain_from_ && (!fits_some(self, what, none) || what.most == 0))
      return none;
    return try_to_take(self, what);
  } catch (const std::exception&) {
    connection_.reset();
    no_connection_until_ = now + pause_after_failure;
    return std::nullopt;
  }
}

std::optional<shared_log::taken_games> sleeper_taker::try_to_take(member_id self,
                                                                  const sleeper_query& what) {
  const auto of = number(self.value);
  const auto number_of_try = ++tries_;
  const auto known_before = uncertain_from_.value_or(number_of_try);
  // Until the answer is there, whatever happens.
  uncertain_from_ = known_before;
  auto& c = *connection_;
  c.send("BEGIN");
  c.send(begin_take, {of, number(number_of_try)});
  if (what.due) {
    c.send(lock_looks);
    c.send(add_pause, {ms_of(*what.due), std::chrono::milliseconds{pause_min}.count()});
    c.send(note_look, {ms_of(*what.due)});
  }
  c.send(forget_known, {of, number(known_before)});
  c.send(take_of(self, what).c_str(), {of, number(number_of_try)});
  c.send(read_taken, {of, number(known_before)});
  c.send(read_pauses);
  c.send(("SELECT min(a.due) FROM gamehub.asleep a WHERE true" + with_engine_of(what)).c_str());
  c.send("COMMIT");
  const auto done = c.finish();
  if (!committed(done)) {
    // What failed was rolled back.
    if (done.failed && known_before == number_of_try) uncertain_from_.reset();
    return std::nullopt;
  }
  uncertain_from_.reset();
  const std::size_t taken = what.due ? 7 : 4;  // after BEGIN and the others
  shared_log::taken_games out;
  out.games = sleepers_of(done.results.at(taken), pauses_of(done.results.at(taken + 1)));
  const auto& next = done.results.at(taken + 2);
  if (!next.is_null(0, 0) && time_of(next.number(0, 0)) != base::wall_time::max())
    out.next_due = time_of(next.number(0, 0));
  out.more = out.games.size() >= what.most;
  if (what.most == 0) fits_some(self, what, out);
  return out;
}

}  // namespace gamehub::journal::postgres
