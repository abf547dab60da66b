#include "hub/journal/postgres/postgres_archive.hpp"

#include "hub/journal/archive_logs.hpp"
#include "hub/journal/postgres/connection.hpp"
#include "hub/journal/postgres/postgres_log.hpp"
#include "hub/journal/postgres/schema.hpp"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::journal::postgres {

namespace {

// Rows of one statement, and of one transaction that changes them.
constexpr std::int64_t rows_at_once = 200;

base::wall_time wall_time_of(std::int64_t ms) {
  return base::wall_time{std::chrono::milliseconds{ms}};
}

// The logs of all members that are not only ended games.
struct member_logs {
  member_id member;
  open_game_recovery logs;
};

struct changed_row {
  std::int64_t member = 0, key = 0, old_sum = 0, sum = 0;
  std::string log;
};

using taker = std::function<bool(archived_game&)>;

class postgres_archive final : public archive {
 public:
  explicit postgres_archive(const std::string& target) : connection_(target, {}) {
    if (!check_schema(connection_))
      throw unusable_log{
          "the cluster's database has no schema gamehub, because no hub has used it: check "
          "--cluster"};
  }

  void for_each(std::span<const game_id> wanted, const taker& take) override {
    convert_errors([&] {
      const auto open = open_games();
      wanted.empty() ? all(open, take) : some(open, wanted, take);
    });
  }

  archive_totals totals() override {
    archive_totals t;
    convert_errors([&] {
      t.schema =
          static_cast<int>(connection_.run("SELECT version FROM gamehub.version").number(0, 0));
      t.file_bytes = connection_
                         .run(
                             "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint"
                             " FROM pg_class WHERE relnamespace = 'gamehub'::regnamespace"
                             " AND relkind = 'r'")
                         .natural(0, 0);
      archive_counter counter{t};
      const auto open = open_games();
      for_each_ended("seq", [&](std::int64_t, const ended_row& row) {
        counter.add_ended(row.ended, row.records, row.log);
        return true;
      });
      for (const auto& [id, game] : open)
        if (!has_ended(id)) counter.add_open(*game.log);
      counter.finish();
    });
    return t;
  }

  std::optional<std::string> damage() override {
    std::optional<std::string> found;
    convert_errors([&] {
      read_members();
      for (const auto& m : members_)
        if (m.logs.damage && !found)
          found = "member " + std::to_string(m.member.value) + ": " + *m.logs.damage;
    });
    return found;
  }

  void backup(const std::filesystem::path&, const std::function<void(double)>&) override {
    throw unusable_log{
        "a cluster's database is copied by PostgreSQL's tools, such as pg_basebackup and pg_dump"};
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
  struct open_game {
    const open_log* log = nullptr;
    const open_game_recovery* of = nullptr;
  };
  using open_games_by_id = std::unordered_map<game_id, open_game>;

  template <class Work>
  void convert_errors(Work&& work) {
    try {
      work();
    } catch (const error& e) {
      throw unusable_log{std::string{"the cluster's database can't be used ("} + e.what() +
                         "): repeat the command when it can"};
    }
  }

  // In one snapshot: a takeover moves games from one log to another.
  void read_members() {
    connection_.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const auto rows = connection_.run(
        "SELECT member FROM gamehub.batches UNION SELECT member FROM gamehub.kept ORDER BY member");
    members_.clear();
    for (int i = 0; i < rows.rows(); ++i) {
      const member_id member{rows.natural(i, 0)};
      members_.push_back({member, read_log(connection_, member).logs});
    }
    read_asleep();
    connection_.run("COMMIT");
  }

  // Games that are asleep are in the log of no member.
  void read_asleep() {
    if (connection_.run("SELECT 1::bigint WHERE to_regclass('gamehub.asleep') IS NOT NULL")
            .rows() == 0)
      return;
    open_game_recovery logs;
    for (std::int64_t last = 0;;) {
      const auto rows = connection_.run(
          "SELECT game, records, sum, log FROM gamehub.asleep WHERE game > $1 ORDER BY game"
          " LIMIT $2",
          {last, rows_at_once});
      if (rows.rows() == 0) break;
      for (int i = 0; i < rows.rows(); ++i) {
        last = rows.number(i, 0);
        recovery::add_row({game_id{rows.natural(i, 0)},
                           rows.natural(i, 1),
                           rows.number(i, 2),
                           rows.bytes(i, 3),
                           {}},
                          logs);
      }
    }
    members_.push_back({{}, std::move(logs)});
  }

  // Reads the open games. A game that was adopted may be in the log of its former owner, too: the
  // longer log is the newer one. Read before the ended games, so that a game is in one of them.
  open_games_by_id open_games() {
    read_members();
    open_games_by_id open;
    for (const auto& m : members_)
      for (const auto& [id, log] : m.logs.games) {
        auto& at = open[id];
        if (at.log == nullptr || at.log->records < log.records) at = {&log, &m.logs};
      }
    return open;
  }

  bool has_ended(game_id id) {
    return connection_.run("SELECT id FROM gamehub.games WHERE id = $1", {number(id.value)})
               .rows() != 0;
  }

  static bool give(game_id id, const open_game& game, const taker& take) {
    auto g = open_game_of(id, *game.log, game.of->damage);
    return take(g);
  }

  static ended_row row_at(const result& rows, int i) {
    return {{rows.natural(i, 1)},
            wall_time_of(rows.number(i, 2)),
            rows.natural(i, 3),
            rows.number(i, 4),
            rows.bytes(i, 5)};
  }

  // Calls the function with each ended game by ascending `key`, which is seq or id, until it
  // returns false.
  template <class Take>
  void for_each_ended(const std::string& key, Take take) {
    const auto text = "SELECT " + key + ", id, ended, records, sum, log FROM gamehub.games WHERE " +
                      key + " > $1 ORDER BY " + key + " LIMIT $2";
    for (std::int64_t last = 0;;) {
      const auto rows = connection_.run(text.c_str(), {last, rows_at_once});
      if (rows.rows() == 0) return;
      for (int i = 0; i < rows.rows(); ++i) {
        last = rows.number(i, 0);
        if (!take(last, row_at(rows, i))) return;
      }
    }
  }

  void all(const open_games_by_id& open, const taker& take) {
    std::vector<game_id> ids;
    for (const auto& [id, game] : open) ids.push_back(id);
    std::sort(ids.begin(), ids.end());
    auto next = ids.begin();
    archived_game g;
    bool goes_on = true;
    for_each_ended("id", [&](std::int64_t, const ended_row& row) {
      for (; next != ids.end() && *next < row.id; ++next)
        if (!(goes_on = give(*next, open.at(*next), take))) return false;
      if (next != ids.end() && *next == row.id) ++next;
      read_ended_game(row, g);
      return goes_on = take(g);
    });
    for (; goes_on && next != ids.end(); ++next) goes_on = give(*next, open.at(*next), take);
  }

  void some(const open_games_by_id& open, std::span<const game_id> wanted, const taker& take) {
    std::vector<game_id> ids{wanted.begin(), wanted.end()};
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const auto id : ids) {
      const auto rows = connection_.run(
          "SELECT seq, id, ended, records, sum, log FROM gamehub.games WHERE id = $1",
          {number(id.value)});
      archived_game g;
      if (rows.rows() != 0) {
        read_ended_game(row_at(rows, 0), g);
        if (!take(g)) return;
      } else if (const auto at = open.find(id); at != open.end()) {
        if (!give(id, at->second, take)) return;
      }
    }
  }

  // Requires: the statement has the parameters log, sum, key, the sum before, and member if it
  // needs that.
  void write_rows(const char* text, const std::vector<changed_row>& rows, bool of_members) {
    if (rows.empty()) return;
    connection_.send("BEGIN");
    for (const auto& row : rows) {
      std::vector<value> all{bytes{row.log}, row.sum, row.key, row.old_sum};
      if (of_members) all.emplace_back(row.member);
      connection_.send(text, all);
    }
    connection_.send("COMMIT");
    const auto done = connection_.finish();
    if (done.failed) throw error{done.why};
  }

  forgotten forget_if(const record_predicate& matches) {
    forgotten out;
    convert_errors([&] {
      const auto open = open_games();
      out.games = forget_in_ended(matches) + forget_in_quarantined(matches);
      for (int i = 0; i < 2; ++i) forget_in_batches(matches);
      for (const auto& [id, game] : open)
        if (!game.log->quarantined && !has_ended(id) &&
            holds_any(game.log->bytes, game.log->records, matches))
          ++out.open;
    });
    return out;
  }

  std::uint64_t forget_in_ended(const record_predicate& matches) {
    constexpr auto update =
        "UPDATE gamehub.games SET log = $1, sum = $2 WHERE seq = $3 AND sum = $4";
    std::vector<changed_row> rows;
    std::uint64_t games = 0;
    const auto write = [&] {
      games += rows.size();
      write_rows(update, std::exchange(rows, {}), false);
    };
    for_each_ended("seq", [&](std::int64_t seq, const ended_row& ended) {
      changed_row row{0, seq, ended.sum, 0, {}};
      // Damaged rows stay unchanged: a new checksum would hide the damage.
      if (sum_of_ended(ended.id, ended.ended, ended.records, ended.log) == ended.sum &&
          log_without(ended.log, ended.records, matches, row.log)) {
        row.sum = sum_of_ended(ended.id, ended.ended, ended.records, row.log);
        rows.push_back(std::move(row));
      }
      if (rows.size() == static_cast<std::size_t>(rows_at_once)) write();
      return true;
    });
    write();
    return games;
  }

  std::uint64_t forget_in_quarantined(const record_predicate& matches) {
    std::vector<changed_row> rows;
    for (const auto& m : members_)
      for (const auto& [id, log] : m.logs.games) {
        changed_row row{static_cast<std::int64_t>(m.member.value),
                        static_cast<std::int64_t>(id.value),
                        checksum_of_retained(id, log.records, log.bytes),
                        0,
                        {}};
        if (!log.quarantined || log.damage ||
            !log_without(log.bytes, log.records, matches, row.log))
          continue;
        row.sum = checksum_of_retained(id, log.records, row.log);
        rows.push_back(std::move(row));
      }
    write_rows(
        "UPDATE gamehub.kept SET log = $1, sum = $2 WHERE game = $3 AND sum = $4 AND member = $5",
        rows, true);
    return rows.size();
  }

  // Twice: the second time removes the names that a player had before the one that matches. The
  // latest batch of a member does not change, because its hub may append it again.
  void forget_in_batches(const record_predicate& matches) {
    for (const auto& m : members_) {
      auto& seats = seats_[m.member];
      for (const auto& b : m.logs.batches) {
        if (b.number == m.logs.batches.back().number) continue;
        const auto found = connection_.run(
            "SELECT at, last_game, last_player, sum, bytes FROM gamehub.batches"
            " WHERE member = $1 AND number = $2",
            {number(m.member.value), number(b.number)});
        if (found.rows() == 0) continue;
        const auto at = wall_time_of(found.number(0, 0));
        const journal::numbers last{game_id{found.natural(0, 1)}, player_id{found.natural(0, 2)}};
        changed_row row{static_cast<std::int64_t>(m.member.value),
                        static_cast<std::int64_t>(b.number),
                        found.number(0, 3),
                        0,
                        {}};
        if (sum_of_batch(b.number, at, last, found.bytes(0, 4)) != row.old_sum ||
            !batch_without(found.bytes(0, 4), m.logs, matches, seats, row.log))
          continue;
        row.sum = sum_of_batch(b.number, at, last, row.log);
        write_rows(
            "UPDATE gamehub.batches SET bytes = $1, sum = $2"
            " WHERE number = $3 AND sum = $4 AND member = $5",
            {std::move(row)}, true);
      }
    }
  }

  connection connection_;
  std::vector<member_logs> members_;
  std::unordered_map<member_id, std::unordered_map<game_id, seat_set>> seats_;
};

}  // namespace

std::unique_ptr<archive> open_archive(const std::string& target) {
  try {
    return std::make_unique<postgres_archive>(target);
  } catch (const error& e) {
    throw unusable_log{std::string{"the cluster's database can't be used ("} + e.what() +
                       "): check --cluster"};
  }
}

}  // namespace gamehub::journal::postgres
