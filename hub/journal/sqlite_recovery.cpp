#include "hub/journal/sqlite_recovery.hpp"

#include <string>

namespace gamehub::journal {

namespace {

void read_kept(sqlite::database& db, int schema, recovery& into) {
  auto select = db.prepare(schema >= 2 ? "SELECT id, records, sum, log, why FROM kept"
                                       : "SELECT id, records, sum, log, NULL FROM kept");
  while (select.step()) {
    recovery::kept_row row{
        game_id{select.natural(0)}, select.natural(1), select.number(2), select.blob(3), {}};
    if (!select.is_null(4)) row.quarantined = select.blob(4);
    into.add_kept(row);
  }
}

void read_asleep(sqlite::database& db, int schema, recovery& into) {
  auto select = asleep_rows(db, schema);
  while (select && select.step())
    into.add_kept(
        {game_id{select.natural(0)}, select.natural(1), select.number(2), select.blob(3), {}});
}

void read_batches(sqlite::database& db, recovery& into) {
  auto select =
      db.prepare("SELECT id, at, last_game, last_player, sum, bytes FROM batches ORDER BY id");
  while (select.step())
    into.add_batch({select.natural(0),
                    base::wall_time{std::chrono::milliseconds{select.number(1)}},
                    {game_id{select.natural(2)}, player_id{select.natural(3)}},
                    select.number(4),
                    select.blob(5)});
}

}  // namespace

sqlite::statement asleep_rows(sqlite::database& db, int schema, const char* condition) {
  if (schema < 4) return {};
  return db.prepare(std::string{"SELECT id, records, sum, log FROM asleep "} + condition);
}

open_game_recovery recover_open_games(sqlite::database& db, int schema, sleepers which) {
  if (schema == 0) return {};
  recovery all;
  read_kept(db, schema, all);
  if (which == sleepers::with) read_asleep(db, schema, all);
  read_batches(db, all);
  auto select = db.prepare("SELECT 1 FROM games WHERE id = ?");
  return all.finish([&](game_id id) {
    select.bind(1, id.value);
    sqlite::rows found{select};
    return found.next();
  });
}

}  // namespace gamehub::journal
