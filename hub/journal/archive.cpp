#include "hub/journal/archive.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "hub/journal/archive_backup.hpp"
#include "hub/journal/archive_forget.hpp"
#include "hub/journal/encoding.hpp"
#include "hub/journal/schema.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_redo.hpp"

namespace gamehub::journal {

std::string_view to_string(game_state s) {
  switch (s) {
    case game_state::open: return "open";
    case game_state::ended: return "ended";
    case game_state::quarantined: return "quarantined";
  }
  return "";
}

namespace {

// A hub's transactions are short; a person's may be long.
constexpr std::chrono::milliseconds lock_max{5'000};

// One moment of the file, for as long as it lives.
class moment {
 public:
  explicit moment(sqlite::database& db) : db_(db) { db_.run("BEGIN"); }
  moment(const moment&) = delete;
  moment& operator=(const moment&) = delete;
  ~moment() { db_.roll_back(); }

 private:
  sqlite::database& db_;
};

// Fills in what a log says; and, unless something is known already, what is wrong with it.
void read_log(game_id id, std::string_view log, record_number count, archived_game& g) {
  g.records.clear();
  auto header = take_header(log);
  if (!header || header->id != id) {
    g.header = {};
    g.header.id = id;
    if (!g.damage) g.damage = "its beginning can't be read";
    return;
  }
  g.header = std::move(*header);
  while (g.records.size() < count) {
    auto r = take_record(log, g.records.size() + 1);
    if (!r) {
      if (!g.damage || g.records.size() + 1 < count)
        g.damage = "record " + std::to_string(g.records.size() + 1) + " can't be read";
      return;
    }
    g.records.push_back(std::move(*r));
  }
  if (!log.empty() && !g.damage) g.damage = "there is more in it than its records";
}

class sqlite_archive final : public archive {
 public:
  sqlite_archive(std::filesystem::path file, access how)
      : file_(std::move(file)),
        db_(file_, how == access::read ? sqlite::mode::read : sqlite::mode::write, lock_max),
        schema_(schema_of(db_, file_)) {}

  void for_each(std::span<const game_id> wanted,
                const std::function<bool(archived_game&)>& take) override {
    if (schema_ == 0) return;
    named([&] {
      const moment now{db_};
      const auto logs = recover_open_games(db_, schema_);
      wanted.empty() ? all(logs, take) : some(logs, wanted, take);
    });
  }

  archive_totals totals() override {
    archive_totals t;
    t.schema = schema_;
    named([&] {
      const moment now{db_};
      const auto page = db_.number("PRAGMA page_size");
      t.file_bytes = static_cast<std::uint64_t>(db_.number("PRAGMA page_count") * page);
      t.free_bytes = static_cast<std::uint64_t>(db_.number("PRAGMA freelist_count") * page);
      if (schema_ != 0) count(t);
    });
    return t;
  }

  std::optional<std::string> damage() override {
    try {
      if (auto found = db_.text("PRAGMA integrity_check(1)"); found != "ok") return found;
      const moment now{db_};
      return recover_open_games(db_, schema_).damage;
    } catch (const sqlite::error& e) {
      return e.what();
    }
  }

  void backup(const std::filesystem::path& to,
              const std::function<void(double)>& progress) override {
    named([&] {
      const moment now{db_};
      // SQLite begins to read with the first question, not with BEGIN.
      db_.number("SELECT count(*) FROM sqlite_schema");
      back_up(db_, file_, to, progress);
    });
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
  using taker = std::function<bool(archived_game&)>;

  forgotten forget_if(const std::function<bool(const record&)>& whose) {
    forgotten result;
    if (schema_ != 0) named([&] { result = forget(db_, schema_, whose); });
    return result;
  }

  // What fails is said with the name of the file and how to mend it.
  template <class Work>
  void named(Work&& work) {
    try {
      work();
    } catch (const sqlite::error& e) {
      throw unusable_file{why_unusable(file_, e)};
    }
  }

  static bool give(game_id id, const open_log& log, const open_game_recovery& logs, const taker& take) {
    archived_game g;
    g.state = log.quarantined ? game_state::quarantined : game_state::open;
    g.note = log.quarantined.value_or("");
    g.damage = log.damage;
    if (!log.quarantined && !g.damage && logs.damage)
      g.damage = *logs.damage + ": records may be missing";
    read_log(id, log.bytes, log.records, g);
    return take(g);
  }

  // Requires: columns id, ended, records, sum, log.
  static bool give(const sqlite::statement& row, archived_game& g, const taker& take) {
    const game_id id{row.natural(0)};
    const wall_time ended{std::chrono::milliseconds{row.number(1)}};
    g.state = game_state::ended;
    g.damage.reset();
    if (sum_of_ended(id, ended, row.natural(2), row.blob(4)) != row.number(3))
      g.damage = "its log does not agree with its sum";
    read_log(id, row.blob(4), row.natural(2), g);
    return take(g);
  }

  void all(const open_game_recovery& logs, const taker& take) {
    std::vector<game_id> open;
    for (const auto& [id, log] : logs.games) open.push_back(id);
    std::sort(open.begin(), open.end());
    auto next = open.begin();
    auto select = db_.prepare("SELECT id, ended, records, sum, log FROM games ORDER BY id");
    archived_game g;
    while (select.step()) {
      for (; next != open.end() && next->value < select.natural(0); ++next)
        if (!give(*next, logs.games.at(*next), logs, take)) return;
      if (!give(select, g, take)) return;
    }
    for (; next != open.end(); ++next)
      if (!give(*next, logs.games.at(*next), logs, take)) return;
  }

  void some(const open_game_recovery& logs, std::span<const game_id> wanted, const taker& take) {
    std::vector<game_id> ids{wanted.begin(), wanted.end()};
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    auto select = db_.prepare("SELECT id, ended, records, sum, log FROM games WHERE id = ?");
    archived_game g;
    for (const auto id : ids) {
      if (const auto at = logs.games.find(id); at != logs.games.end()) {
        if (!give(id, at->second, logs, take)) return;
        continue;
      }
      select.bind(1, id.value);
      sqlite::rows found{select};
      if (found.next() && !give(select, g, take)) return;
    }
  }

  void count(archive_totals& t) {
    std::map<std::pair<std::string, std::string>, archive_totals::by_engine> engines;
    const auto engine = [&](std::string_view log) -> archive_totals::by_engine& {
      const auto header = take_header(log).value_or(game_header{});
      return engines[{header.engine, header.engine_version}];
    };
    auto select = db_.prepare("SELECT ended, records, log FROM games ORDER BY seq");
    while (select.step()) {
      const wall_time ended{std::chrono::milliseconds{select.number(0)}};
      if (t.games++ == 0) t.oldest = t.newest = ended;
      t.oldest = std::min(t.oldest, ended);
      t.newest = std::max(t.newest, ended);
      t.records += select.natural(1);
      ++engine(select.blob(2)).ended;
    }
    for (const auto& [id, log] : recover_open_games(db_, schema_).games) {
      ++t.games;
      t.records += log.records;
      auto& e = engine(log.bytes);
      ++(log.quarantined ? e.quarantined : e.open);
    }
    for (auto& [name, counts] : engines) {
      std::tie(counts.engine, counts.version) = name;
      t.engines.push_back(std::move(counts));
    }
  }

  std::filesystem::path file_;
  sqlite::database db_;
  int schema_;
};

}  // namespace

std::unique_ptr<archive> open_archive(const std::filesystem::path& file, access how) {
  if (!std::filesystem::is_regular_file(file))
    throw unusable_file{"There is no journal " + file.string() + '.'};
  try {
    return std::make_unique<sqlite_archive>(file, how);
  } catch (const sqlite::error& e) {
    throw unusable_file{why_unusable(file, e)};
  }
}

}  // namespace gamehub::journal
