#include "hub/journal/sqlite_recovery.hpp"

#include "hub/journal/schema.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace gamehub::journal {

namespace {

base::wall_time time_of(std::int64_t ms) { return base::wall_time{std::chrono::milliseconds{ms}}; }

void read_kept(sqlite::database& db, int schema, recovery& into) {
  auto select =
      db.prepare(schema >= 4   ? "SELECT k.id, k.records, k.sum, k.log, why, a.records, a.due"
                                 " FROM kept k LEFT JOIN asleep a ON a.id = k.id"
                 : schema >= 2 ? "SELECT id, records, sum, log, why, NULL, NULL FROM kept"
                               : "SELECT id, records, sum, log, NULL, NULL, NULL FROM kept");
  while (select.step()) {
    recovery::kept_row row{
        game_id{select.natural(0)}, select.natural(1), select.number(2), select.blob(3), {}, {}};
    if (!select.is_null(4)) row.quarantined = select.blob(4);
    if (!select.is_null(5)) row.filed = {select.natural(5), time_of(select.number(6))};
    into.add_kept(row);
  }
}

recovery::kept_row asleep_row(const sqlite::statement& s) {
  return {game_id{s.natural(0)},
          s.natural(1),
          s.number(2),
          s.blob(3),
          {},
          open_log::filed_row{s.natural(1), time_of(s.number(4))}};
}

void read_asleep(sqlite::database& db, int schema, recovery& into) {
  auto select = asleep_rows(db, schema);
  while (select && select.step()) into.add_kept(asleep_row(select));
}

void read_batches(sqlite::database& db, recovery& into) {
  auto select =
      db.prepare("SELECT id, at, last_game, last_player, sum, bytes FROM batches ORDER BY id");
  while (select.step())
    into.add_batch({select.natural(0),
                    time_of(select.number(1)),
                    {game_id{select.natural(2)}, player_id{select.natural(3)}},
                    select.number(4),
                    select.blob(5)});
}

}  // namespace

sqlite::statement asleep_rows(sqlite::database& db, int schema, const char* condition) {
  if (schema < 4) return {};
  return db.prepare(std::string{"SELECT id, records, sum, log, due FROM asleep "} + condition);
}

open_game_recovery recover_open_games(sqlite::database& db, int schema, sleepers which) {
  if (schema == 0) return {};
  recovery all;
  read_kept(db, schema, all);
  if (which == sleepers::with) read_asleep(db, schema, all);
  read_batches(db, all);
  auto ended = db.prepare("SELECT 1 FROM games WHERE id = ?");
  auto asleep = asleep_rows(db, schema, "WHERE id = ?");
  return all.finish(
      [&](game_id id) {
        ended.bind(1, id.value);
        sqlite::rows found{ended};
        return found.next();
      },
      [&](game_id id) -> std::optional<recovery::kept_row> {
        if (!asleep) return std::nullopt;
        asleep.reset();
        asleep.bind(1, id.value);
        return asleep.step() ? std::optional{asleep_row(asleep)} : std::nullopt;
      });
}

void add_sleeper(sqlite::database& db, game_id id, open_game_recovery& to) {
  auto select = asleep_rows(db, schema_newest, "WHERE id = ?");
  select.bind(1, id.value);
  if (select.step()) recovery::add_row(asleep_row(select), to);
}

}  // namespace gamehub::journal
