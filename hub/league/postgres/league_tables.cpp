#include "hub/league/postgres/league_tables.hpp"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

namespace gamehub::league::postgres {
namespace {

using journal::postgres::bytes;
using journal::postgres::number;
using journal::postgres::result;

// The league of a member that was adopted belongs to the member that has its log now: at the end of
// the chain of adoptions. One that has handed over games before it left has it where these are, if
// that is a member that lives.
constexpr const char* claim_league =
    "WITH RECURSIVE chain (root, id, adopted_by) AS ("
    "  SELECT m.id, m.id, m.adopted_by FROM gamehub.members m"
    "   JOIN gamehub.league l ON m.id = l.member OR m.id = l.heir"
    "  UNION SELECT chain.root, m.id, m.adopted_by FROM gamehub.members m"
    "   JOIN chain ON m.id = chain.adopted_by),"
    " ends AS (SELECT root, id FROM chain WHERE adopted_by IS NULL),"
    " heir AS (SELECT coalesce("
    "  (SELECT e.id FROM ends e JOIN gamehub.league l ON e.root = l.heir"
    "   JOIN gamehub.heartbeats h ON h.member = e.id WHERE NOT h.gone),"
    "  (SELECT e.id FROM ends e JOIN gamehub.league l ON e.root = l.member)) AS id),"
    " me AS MATERIALIZED (SELECT id FROM gamehub.members"
    "  WHERE id = $1::bigint AND adopted_by IS NULL FOR SHARE),"
    " taken AS (UPDATE gamehub.league l SET member = me.id, heir = NULL FROM me"
    "  WHERE l.member IS NULL OR (l.member <> me.id AND me.id = (SELECT id FROM heir) AND EXISTS"
    "   (SELECT 1 FROM gamehub.members d WHERE d.id = l.member AND d.adopted_by IS NOT NULL))"
    "  RETURNING member)"
    " SELECT coalesce((SELECT member FROM taken), (SELECT member FROM gamehub.league))";

// Texts of bots are bytea: they may have characters that a text column refuses.
constexpr const char* put_bot =
    "INSERT INTO gamehub.league_bots (id, name, owner, registration, registered, state, version,"
    " engine, endpoint, language, website, description, secret, account, since, answered,"
    " signing_secret) VALUES ($1::bigint, $2::bytea, $3::bytea, $4::bigint, $5::bigint,"
    " $6::bigint, $7::bytea, $8::bytea, $9::bytea, $10::bytea, $11::bytea, $12::bytea, $13::bytea,"
    " $14::bytea, $15::bigint, $16::bigint, $17::bytea)"
    " ON CONFLICT (id) DO UPDATE SET name = $2, owner = $3, registration = $4, registered = $5,"
    " state = $6, version = $7, engine = $8, endpoint = $9, language = $10, website = $11,"
    " description = $12, secret = $13, account = $14, since = $15, answered = $16,"
    " signing_secret = $17";
constexpr const char* put_match =
    "INSERT INTO gamehub.league_matches (id, run, engine, x, o, x_version, o_version, state, game,"
    " openings, at, winner, how) VALUES ($1::bigint, $2::bigint, $3::bytea, $4::bigint,"
    " $5::bigint, $6::bytea, $7::bytea, $8::bigint, $9::bigint, $10::bigint, $11::bigint,"
    " $12::bigint, $13::bigint)"
    " ON CONFLICT (id) DO UPDATE SET run = $2, engine = $3, x = $4, o = $5, x_version = $6,"
    " o_version = $7, state = $8, game = $9, openings = $10, at = $11, winner = $12, how = $13";
// A repeated transaction adds a failure once.
constexpr const char* put_failure =
    "INSERT INTO gamehub.league_failures (bot, at, code, text, game)"
    " SELECT $1::bigint, $2::bigint, $3::bigint, $4::bytea, $5::bigint WHERE NOT EXISTS"
    " (SELECT 1 FROM gamehub.league_failures WHERE bot = $1 AND at = $2 AND code = $3"
    "  AND text = $4 AND game = $5)";
constexpr const char* trim_failures =
    "DELETE FROM gamehub.league_failures WHERE bot = $1::bigint AND id NOT IN"
    " (SELECT id FROM gamehub.league_failures WHERE bot = $1 ORDER BY id DESC LIMIT $2::bigint)";
constexpr const char* put_rating =
    "INSERT INTO gamehub.league_ratings (engine, bot, rating, deviation, volatility, games, wins,"
    " draws, losses, at) VALUES ($1::bytea, $2::bigint, $3::text::float8, $4::text::float8,"
    " $5::text::float8, $6::bigint, $7::bigint, $8::bigint, $9::bigint, $10::bigint)"
    " ON CONFLICT (engine, bot) DO UPDATE SET rating = $3::text::float8,"
    " deviation = $4::text::float8, volatility = $5::text::float8, games = $6, wins = $7,"
    " draws = $8, losses = $9, at = $10";
constexpr const char* put_run =
    "INSERT INTO gamehub.league_runs (id, engine, format, games, bots, patience, state, made)"
    " VALUES ($1::bigint, $2::bytea, $3::bigint, $4::bigint, $5::bytea, $6::bigint, $7::bigint,"
    " $8::bigint)"
    " ON CONFLICT (id) DO UPDATE SET engine = $2, format = $3, games = $4, bots = $5,"
    " patience = $6, state = $7, made = $8";
// Matches and tournaments name it: no other bot gets its id.
constexpr const char* remove_bot =
    "WITH a AS (DELETE FROM gamehub.league_bots WHERE id = $1::bigint),"
    " b AS (DELETE FROM gamehub.league_failures WHERE bot = $1::bigint),"
    " c AS (DELETE FROM gamehub.league_ratings WHERE bot = $1::bigint)"
    " UPDATE gamehub.league SET last_bot = greatest(last_bot, $1::bigint)";

constexpr const char* statements[][2] = {
    {"put_bot", put_bot},         {"put_match", put_match},
    {"put_failure", put_failure}, {"trim_failures", trim_failures},
    {"put_rating", put_rating},   {"put_run", put_run},
    {"remove_bot", remove_bot}};

std::int64_t number_of(base::wall_time at) { return at.time_since_epoch().count(); }
base::wall_time time_of(std::int64_t n) { return base::wall_time{std::chrono::milliseconds{n}}; }

std::string text(const result& r, int row, int column) { return std::string{r.bytes(row, column)}; }

template <class Enum>
Enum word(const result& r, int row, int column) {
  return static_cast<Enum>(r.number(row, column));
}

// All 64 bits survive.
std::string text_of(double value) {
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value).ptr;
  return {buffer, end};
}
double real(const result& r, int row, int column) {
  const auto from = r.bytes(row, column);
  double out = 0;
  std::from_chars(from.data(), from.data() + from.size(), out);
  return out;
}

void send(connection& c, const bot_record& b) {
  c.send("put_bot",
         {number(b.id.value), bytes{b.name}, bytes{b.owner}, number(b.registration),
          number_of(b.registered_at), static_cast<std::int64_t>(b.state), bytes{b.version},
          bytes{b.engine}, bytes{b.endpoint}, bytes{b.language}, bytes{b.website},
          bytes{b.description}, bytes{b.secret}, bytes{b.account}, number_of(b.since),
          std::int64_t{b.has_answered ? 1 : 0}, bytes{b.signing_secret}});
}

void send(connection& c, const scheduled_match& m) {
  using journal::postgres::value;
  const auto winner = m.got ? value{std::int64_t{m.got->winner.value_or(-1)}} : value{};
  const auto how = m.got ? value{static_cast<std::int64_t>(m.got->how)} : value{};
  c.send("put_match", {number(m.id.value), number(m.run.value), bytes{m.engine},
                       number(m.bots[0].value), number(m.bots[1].value), bytes{m.versions[0]},
                       bytes{m.versions[1]}, static_cast<std::int64_t>(m.state),
                       number(m.game.value), number(m.openings), number_of(m.at), winner, how});
}

void send(connection& c, const failure& f) {
  c.send("put_failure",
         {number(f.who.value), number_of(f.at), static_cast<std::int64_t>(f.what.code),
          bytes{f.what.text}, number(f.what.game.value)});
  c.send("trim_failures", {number(f.who.value), number(failures_kept)});
}

void send(connection& c, const rating& r) {
  const auto now = text_of(r.now.rating), deviation = text_of(r.now.deviation),
             volatility = text_of(r.now.volatility);
  c.send("put_rating", {bytes{r.engine}, number(r.who.value), std::string_view{now},
                        std::string_view{deviation}, std::string_view{volatility}, number(r.games),
                        number(r.wins), number(r.draws), number(r.losses), number_of(r.at)});
}

void send(connection& c, const tournament& r) {
  std::string joined;
  for (const auto each : r.bots) joined += (joined.empty() ? "" : " ") + std::to_string(each.value);
  c.send("put_run", {number(r.id.value), bytes{r.engine}, static_cast<std::int64_t>(r.format),
                     number(r.games), bytes{joined}, std::int64_t{r.patience.count()},
                     static_cast<std::int64_t>(r.state), number_of(r.made_at)});
}

bot_record bot_in(const result& r, int i) {
  bot_record b;
  b.id = bot_id{r.natural(i, 0)};
  b.name = text(r, i, 1);
  b.owner = text(r, i, 2);
  b.registration = r.natural(i, 3);
  b.registered_at = time_of(r.number(i, 4));
  b.state = word<bot_state>(r, i, 5);
  b.version = text(r, i, 6);
  b.engine = text(r, i, 7);
  b.endpoint = text(r, i, 8);
  b.language = text(r, i, 9);
  b.website = text(r, i, 10);
  b.description = text(r, i, 11);
  b.secret = text(r, i, 12);
  b.account = text(r, i, 13);
  b.since = time_of(r.number(i, 14));
  b.has_answered = r.number(i, 15) != 0;
  b.signing_secret = text(r, i, 16);
  return b;
}

scheduled_match match_in(const result& r, int i) {
  scheduled_match m;
  m.id = match_id{r.natural(i, 0)};
  m.run = run_id{r.natural(i, 1)};
  m.engine = text(r, i, 2);
  m.bots = {bot_id{r.natural(i, 3)}, bot_id{r.natural(i, 4)}};
  m.versions = {text(r, i, 5), text(r, i, 6)};
  m.state = word<match_state>(r, i, 7);
  m.game = game_id{r.natural(i, 8)};
  m.openings = static_cast<std::uint32_t>(r.natural(i, 9));
  m.at = time_of(r.number(i, 10));
  if (r.is_null(i, 11)) return m;
  auto& got = m.got.emplace();
  if (r.number(i, 11) >= 0) got.winner = static_cast<seat_index>(r.number(i, 11));
  got.how = word<loss_reason>(r, i, 12);
  return m;
}

rating rating_in(const result& r, int i) {
  return {text(r, i, 0),   bot_id{r.natural(i, 1)}, {real(r, i, 2), real(r, i, 3), real(r, i, 4)},
          r.natural(i, 5), r.natural(i, 6),         r.natural(i, 7),
          r.natural(i, 8), time_of(r.number(i, 9))};
}

tournament run_in(const result& r, int i) {
  tournament t;
  t.id = run_id{r.natural(i, 0)};
  t.engine = text(r, i, 1);
  t.format = word<run_format>(r, i, 2);
  t.games = static_cast<std::uint32_t>(r.natural(i, 3));
  const auto bots = r.bytes(i, 4);
  for (const auto* at = bots.data(); at != bots.data() + bots.size();) {
    bot_id id;
    const auto [next, error] = std::from_chars(at, bots.data() + bots.size(), id.value);
    if (error != std::errc{}) break;
    t.bots.push_back(id);
    at = next == bots.data() + bots.size() ? next : next + 1;
  }
  t.patience = std::chrono::seconds{r.number(i, 5)};
  t.state = word<run_state>(r, i, 6);
  t.made_at = time_of(r.number(i, 7));
  return t;
}

failure failure_in(const result& r, int i) {
  return {bot_id{r.natural(i, 0)},
          {word<bot_error_code>(r, i, 1), text(r, i, 2), game_id{r.natural(i, 3)}},
          time_of(r.number(i, 4))};
}

template <class Read>
auto all_of(const result& r, Read read) {
  std::vector<decltype(read(r, 0))> out;
  for (int i = 0; i < r.rows(); ++i) out.push_back(read(r, i));
  return out;
}

}  // namespace

void prepare(connection& c) {
  for (const auto& [name, statement] : statements) c.prepare(name, statement);
}

void send_check(connection& c, member_id self) {
  c.send(
      "SELECT 1 / count(*) FROM (SELECT 1 FROM gamehub.league WHERE member = $1::bigint"
      " FOR UPDATE) AS mine",
      {number(self.value)});
}

void send_changes(connection& c, const changes& all) {
  for (const auto& each : all.bots) send(c, each);
  for (const auto& each : all.fixtures) send(c, each);
  for (const auto& each : all.failures) send(c, each);
  for (const auto& each : all.ratings) send(c, each);
  for (const auto& each : all.runs) send(c, each);
  for (const auto id : all.withdrawn)
    c.send("DELETE FROM gamehub.league_matches WHERE id = $1::bigint", {number(id.value)});
  for (const auto id : all.dropped) {
    c.send("DELETE FROM gamehub.league_matches WHERE run <> 0 AND run = $1::bigint",
           {number(id.value)});
    c.send("DELETE FROM gamehub.league_runs WHERE id = $1::bigint", {number(id.value)});
  }
  for (const auto id : all.removed) c.send("remove_bot", {number(id.value)});
}

std::vector<bot_record> bots(connection& c) {
  return all_of(c.run("SELECT id, name, owner, registration, registered, state, version, engine,"
                      " endpoint, language, website, description, secret, account, since,"
                      " answered, signing_secret FROM gamehub.league_bots ORDER BY id"),
                bot_in);
}

std::vector<rating> ratings(connection& c) {
  return all_of(c.run("SELECT engine, bot, convert_to(rating::text, 'UTF8'),"
                      " convert_to(deviation::text, 'UTF8'), convert_to(volatility::text, 'UTF8'),"
                      " games, wins, draws, losses, at FROM gamehub.league_ratings"),
                rating_in);
}

saved load(connection& c, base::wall_time ended_since) {
  saved out;
  out.bots = bots(c);
  out.ratings = ratings(c);
  out.runs = all_of(c.run("SELECT id, engine, format, games, bots, patience, state, made"
                          " FROM gamehub.league_runs"),
                    run_in);
  out.failures = all_of(c.run("SELECT bot, code, text, game, at FROM gamehub.league_failures"
                              " ORDER BY id"),
                        failure_in);
  out.fixtures =
      all_of(c.run("SELECT id, run, engine, x, o, x_version, o_version, state, game, openings, at,"
                   " winner, how FROM gamehub.league_matches"
                   " WHERE state <> $1::bigint OR at >= $2::bigint OR run <> 0",
                   {static_cast<std::int64_t>(match_state::ended), number_of(ended_since)}),
             match_in);
  const auto last = c.run(
      "SELECT greatest(last_bot, (SELECT max(id) FROM gamehub.league_bots), 0),"
      " coalesce((SELECT max(id) FROM gamehub.league_matches), 0) FROM gamehub.league");
  out.last_bot = bot_id{last.natural(0, 0)};
  out.last_fixture = match_id{last.natural(0, 1)};
  return out;
}

// The row with the greatest id stays, so that no id is used twice.
void forget_matches(connection& c, base::wall_time ended_before) {
  c.run(
      "DELETE FROM gamehub.league_matches WHERE state = $1::bigint AND at < $2::bigint"
      " AND run = 0 AND id <> (SELECT max(id) FROM gamehub.league_matches)",
      {static_cast<std::int64_t>(match_state::ended), number_of(ended_before)});
}

std::optional<member_id> claim(connection& c, member_id self) {
  const auto row = c.run(claim_league, {number(self.value)});
  if (row.rows() == 0 || row.is_null(0, 0)) return std::nullopt;
  return member_id{row.natural(0, 0)};
}

void add_token(connection& c, const token_entry& t) {
  c.run("INSERT INTO gamehub.league_tokens (digest, owner, made) VALUES ($1, $2, $3::bigint)",
        {std::string_view{t.digest}, bytes{t.owner}, number_of(t.made)});
}

std::size_t revoke_tokens(connection& c, const std::string& owner, base::wall_time now) {
  return static_cast<std::size_t>(c.run("UPDATE gamehub.league_tokens SET revoked = $2::bigint"
                                        " WHERE owner = $1::bytea AND revoked IS NULL",
                                        {bytes{owner}, number_of(now)})
                                      .changed());
}

std::vector<token_entry> tokens(connection& c) {
  return all_of(c.run("SELECT owner, digest, made, revoked FROM gamehub.league_tokens"
                      " ORDER BY owner, made"),
                [](const result& r, int i) {
                  token_entry t{text(r, i, 0), text(r, i, 1), time_of(r.number(i, 2)), {}};
                  if (!r.is_null(i, 3)) t.revoked = time_of(r.number(i, 3));
                  return t;
                });
}

std::optional<std::string> owner_of(connection& c, const std::string& digest) {
  const auto row =
      c.run("SELECT owner FROM gamehub.league_tokens WHERE digest = $1 AND revoked IS NULL",
            {std::string_view{digest}});
  return row.rows() == 0 ? std::nullopt : std::optional{text(row, 0, 0)};
}

}  // namespace gamehub::league::postgres
