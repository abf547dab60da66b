#include "hub/journal/sqlite_redo.hpp"

#include <unordered_set>

#include "hub/journal/sqlite_bytes.hpp"

namespace gamehub::journal {

namespace {

std::uint64_t number_of(wall_time at) {
  return static_cast<std::uint64_t>(at.time_since_epoch().count());
}

class reading {
 public:
  explicit reading(open_game_recovery& into) : all_(into) {}

  void kept(sqlite::database& db, int schema) {
    auto select = db.prepare(schema >= 2 ? "SELECT id, records, sum, log, why FROM kept"
                                         : "SELECT id, records, sum, log, NULL FROM kept");
    while (select.step()) {
      const game_id id{select.natural(0)};
      open_log log;
      log.kept = true;
      log.records = select.natural(1);
      log.bytes = select.blob(3);
      if (!select.is_null(4)) log.quarantined = select.blob(4);
      if (checksum_of_retained(id, log.records, log.bytes) != select.number(2))
        log.damage = "its log does not agree with its sum";
      if (id > all_.last.game) all_.last.game = id;
      all_.games.emplace(id, std::move(log));
    }
  }

  void batches(sqlite::database& db) {
    auto select =
        db.prepare("SELECT id, at, last_game, last_player, sum, bytes FROM batches ORDER BY id");
    while (select.step()) {
      number_ = select.natural(0);
      const auto bytes = select.blob(5);
      const wall_time at{std::chrono::milliseconds{select.number(1)}};
      const journal::numbers last{game_id{select.natural(2)}, player_id{select.natural(3)}};
      if (!all_.batches.empty() && all_.batches.back().number + 1 != number_)
        damaged("batch " + std::to_string(all_.batches.back().number + 1) + " is missing");
      all_.batches.push_back({number_, bytes.size()});
      if (sum_of_batch(number_, at, last, bytes) != select.number(4)) {
        damaged("batch " + std::to_string(number_) + " does not agree with its sum");
        continue;
      }
      all_.last = last;
      all_.last_written = at;
      entries(bytes);
    }
  }

  // A log without a beginning is that of a game that ended and was written as a whole.
  void strangers(sqlite::database& db) {
    if (headless_.empty()) return;
    auto select = db.prepare("SELECT 1 FROM games WHERE id = ?");
    for (const auto id : headless_) {
      select.bind(1, id.value);
      sqlite::rows found{select};
      if (!found.next())
        damaged("the beginning of game " + std::to_string(id.value) + " is missing");
    }
  }

 private:
  void damaged(std::string what) {
    if (!all_.damage) all_.damage = std::move(what);
  }

  void entries(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto e = take_entry(bytes);
      if (!e) return damaged("batch " + std::to_string(number_) + " can't be read");
      entry(*e);
    }
  }

  void entry(const batch_entry& e) {
    switch (e.what) {
      case batch_entry::kind::header: {
        const auto [at, fresh] = all_.games.try_emplace(e.game);
        if (!fresh) return;  // a row of `kept` has it
        at->second.bytes = e.bytes;
        at->second.anchor = number_;
        return;
      }
      case batch_entry::kind::records: return records(e);
      case batch_entry::kind::gone:
        headless_.erase(e.game);
        if (const auto at = all_.games.find(e.game);
            at != all_.games.end() && !at->second.quarantined)
          all_.games.erase(at);
        return;
    }
  }

  void records(const batch_entry& e) {
    const auto at = all_.games.find(e.game);
    if (at == all_.games.end()) {
      headless_.insert(e.game);
      return;
    }
    auto& log = at->second;
    const auto last = e.first + e.count - 1;
    if (last <= log.records) return;  // a row of `kept` has them
    if (e.first != log.records + 1 && !log.damage)
      log.damage = "records " + std::to_string(log.records + 1) + " to " +
                   std::to_string(e.first - 1) + " are missing";
    log.bytes.append(e.bytes);
    log.records = last;
    if (log.anchor == 0) log.anchor = number_;
  }

  open_game_recovery& all_;
  batch_number number_ = 0;
  std::unordered_set<game_id> headless_;
};

}  // namespace

open_game_recovery recover_open_games(sqlite::database& db, int schema) {
  open_game_recovery all;
  if (schema == 0) return all;
  reading r{all};
  r.kept(db, schema);
  r.batches(db);
  r.strangers(db);
  return all;
}

std::int64_t checksum_of_retained(game_id id, record_number records, std::string_view log) {
  return sum_of({id.value, records}, log);
}

std::int64_t sum_of_batch(batch_number number, wall_time at, const journal::numbers& last,
                          std::string_view bytes) {
  return sum_of({number, number_of(at), last.game.value, last.player.value}, bytes);
}

std::int64_t sum_of_ended(game_id id, wall_time ended, record_number records,
                          std::string_view log) {
  return sum_of({id.value, number_of(ended), records}, log);
}

}  // namespace gamehub::journal
