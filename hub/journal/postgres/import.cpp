#include "hub/journal/postgres/connection.hpp"
#include "hub/journal/postgres/postgres_archive.hpp"
#include "hub/journal/postgres/postgres_log.hpp"
#include "hub/journal/postgres/schema.hpp"
#include "hub/journal/schema.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_recovery.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gamehub::journal::postgres {

namespace {

// Games of one transaction.
constexpr std::size_t games_at_once = 500;
constexpr std::chrono::milliseconds lock_max{5'000};

// Sets the last ids in use, from which a hub that starts claims. Throws if they are set already.
void claim_ids_of(connection& c, const journal::numbers& last) {
  c.send("BEGIN");
  for (const auto& [kind, id] :
       {std::pair{id_kind::games, last.game.value}, std::pair{id_kind::players, last.player.value}})
    c.send("INSERT INTO gamehub.ids (kind, last) VALUES ($1, $2)", {to_string(kind), number(id)});
  c.send("COMMIT");
  const auto done = c.finish();
  constexpr std::string_view exists = "23505";
  if (done.failed && done.why.sqlstate() == exists)
    throw unusable_log{
        "a hub has used the cluster's database, whose numbers of games are not those of a file: "
        "import into a new database, before the first hub starts"};
  if (done.failed) throw error{done.why};
}

// Appends batches of a member that does nothing else.
class importer {
 public:
  importer(postgres_log& to, const open_game_recovery& from) : to_(to) {
    batch_.at = from.last_written;
    batch_.last = from.last;
  }

  void add(log_batch::kept_game game) {
    batch_.kept.push_back(game);
    append_if_full();
  }
  // The log is copied.
  void add(log_batch::ended_game game) {
    logs_.emplace_back(game.log);
    batch_.ended.push_back(game);
    append_if_full();
  }
  void finish() {
    if (batch_.number == 0 || !batch_.kept.empty() || !batch_.ended.empty()) append();
  }

 private:
  void append_if_full() {
    if (batch_.kept.size() + batch_.ended.size() >= games_at_once) append();
  }
  void append() {
    for (std::size_t i = 0; i < logs_.size(); ++i) batch_.ended[i].log = logs_[i];
    ++batch_.number;
    batch_.sum = sum_of_batch(batch_.number, batch_.at, batch_.last, {});
    const auto result = append_surely(to_, batch_);
    if (result.what != append_outcome::written)
      throw unusable_log{"the import was not written and is not complete (" + result.why +
                         "): repeat it with a new database"};
    batch_.kept.clear();
    batch_.ended.clear();
    logs_.clear();
  }

  postgres_log& to_;
  log_batch batch_;
  std::vector<std::string> logs_;
};

imported copy(postgres_log& to, sqlite::database& db, open_game_recovery& open,
              const std::function<void(std::uint64_t)>& progress) {
  imported done;
  importer into{to, open};
  auto select = db.prepare("SELECT id, ended, records, log FROM games ORDER BY seq");
  for (sqlite::rows all{select}; all.next(); progress(++done.ended))
    into.add(log_batch::ended_game{{select.natural(0)},
                                   base::wall_time{std::chrono::milliseconds{select.number(1)}},
                                   select.natural(2),
                                   select.blob(3),
                                   false});
  for (auto& [id, log] : open.games) {
    if (log.damage && !log.quarantined) log.quarantined = "its log is damaged: " + *log.damage;
    into.add(log_batch::kept_game{
        id, log.records, log.bytes,
        log.quarantined ? std::optional<std::string_view>{*log.quarantined} : std::nullopt});
    done.open += log.quarantined ? 0U : 1U;
  }
  into.finish();
  return done;
}

}  // namespace

imported import_file(const std::string& target, const std::filesystem::path& file,
                     const std::function<void(std::uint64_t)>& progress) {
  if (!std::filesystem::is_regular_file(file))
    throw unusable_log{"there is no journal " + file.string()};
  try {
    const file_lock lock{file};
    sqlite::database db{file, sqlite::mode::read, lock_max};
    const auto schema = schema_of(db, file);
    if (schema == 0) throw unusable_log{"the journal " + file.string() + " is empty"};
    db.run("BEGIN");
    auto open = recover_open_games(db, schema);
    connection c{target, {}};
    bring_up_schema(c);
    claim_ids_of(c, open.last);
    postgres_log to{{target, "import of " + file.filename().string(), "", {}}};
    to.open();
    return copy(to, db, open, progress);
  } catch (const sqlite::error& e) {
    throw unusable_log{why_unusable(file, e)};
  } catch (const error& e) {
    throw unusable_log{std::string{"the cluster's database can't be used ("} + e.what() +
                       "): check --cluster"};
  }
}

}  // namespace gamehub::journal::postgres
