#include "hub/journal/sqlite_reader.hpp"

#include "hub/journal/group_commit.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <string>

namespace gamehub::journal {

namespace {

// In WAL mode a reader waits only while the write-ahead log restarts.
constexpr std::chrono::milliseconds reader_lock_max{100};

}  // namespace

void log_reader::connect() {
  ended_ = {};
  kept_ = {};
  open_ = {};
  list_ = {};
  db_ = {};
  db_ = sqlite::database{file_, sqlite::mode::read, reader_lock_max};
  ended_ = db_.prepare("SELECT ended, records, sum, log FROM games WHERE id = ?");
  kept_ = db_.prepare("SELECT 0, records, sum, log FROM kept WHERE id = ? AND why IS NOT NULL");
  open_ = db_.prepare("SELECT records, sum, log FROM kept WHERE id = ? AND why IS NULL");
  list_ = db_.prepare("SELECT id FROM games WHERE id < ? ORDER BY id DESC LIMIT ?");
}

template <class Work>
bool log_reader::attempt(Work work) noexcept {
  const std::lock_guard lock{mutex_};
  try {
    if (!list_) connect();
    work();
    return true;
  } catch (const std::exception&) {
    list_ = {};
    return false;
  }
}

std::vector<record> log_reader::read(game_id id, record_number after) noexcept {
  std::vector<record> found;
  attempt([&] {
    for (auto* from : {&ended_, &kept_}) {
      from->bind(1, id.value);
      sqlite::rows one{*from};
      if (!one.next()) continue;
      const base::wall_time ended{std::chrono::milliseconds{from->number(0)}};
      const auto records = from->natural(1);
      const auto log = from->blob(3);
      const auto sum = from == &ended_ ? sum_of_ended(id, ended, records, log)
                                       : checksum_of_retained(id, records, log);
      if (sum == from->number(2)) found = records_of(log, records, after);
      return;
    }
  });
  return found;
}

std::optional<game_log> log_reader::find_ended(game_id id) noexcept {
  std::optional<game_log> found;
  attempt([&] {
    ended_.bind(1, id.value);
    sqlite::rows one{ended_};
    if (!one.next()) return;
    const base::wall_time ended{std::chrono::milliseconds{ended_.number(0)}};
    const auto records = ended_.natural(1);
    if (sum_of_ended(id, ended, records, ended_.blob(3)) == ended_.number(2))
      found = log_of(ended_.blob(3), records);
  });
  return found;
}

std::optional<log_store::kept_log> log_reader::read_kept(game_id id) noexcept {
  std::optional<log_store::kept_log> found;
  attempt([&] {
    open_.bind(1, id.value);
    sqlite::rows one{open_};
    if (!one.next()) return;
    const auto records = open_.natural(0);
    if (checksum_of_retained(id, records, open_.blob(2)) == open_.number(1))
      found = log_store::kept_log{std::string{open_.blob(2)}, records};
  });
  return found;
}

std::vector<game_id> log_reader::ended_before(game_id id, std::size_t most) noexcept {
  std::vector<game_id> found;
  constexpr auto greatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  attempt([&] {
    list_.bind(1, std::min(id.value, greatest));
    list_.bind(2, most);
    for (sqlite::rows all{list_}; all.next();) found.push_back(game_id{list_.natural(0)});
  });
  return found;
}

}  // namespace gamehub::journal
