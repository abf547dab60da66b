#include "hub/journal/sqlite_reader.hpp"

#include "hub/journal/group_commit.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <string>

namespace gamehub::journal {

namespace {

// In WAL mode a reader waits only while the write-ahead log restarts.
constexpr std::chrono::milliseconds reader_lock_max{100};

// The greatest number of a row.
constexpr auto greatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

}  // namespace

void log_reader::connect() {
  for (auto* s :
       {&ended_, &kept_, &list_, &asleep_, &with_key_, &asleep_list_, &asleep_all_, &due_})
    *s = {};
  db_ = {};
  db_ = sqlite::database{file_, sqlite::mode::read, reader_lock_max};
  ended_ = db_.prepare("SELECT ended, records, sum, log FROM games WHERE id = ?");
  kept_ = db_.prepare("SELECT 0, records, sum, log FROM kept WHERE id = ? AND why IS NOT NULL");
  asleep_ = db_.prepare("SELECT records, sum, log, due, since, to_move FROM asleep WHERE id = ?");
  with_key_ = db_.prepare(
      "SELECT id FROM (SELECT game FROM asleep_keys WHERE hash = ? ORDER BY game DESC LIMIT ?)"
      " CROSS JOIN asleep ON id = game ORDER BY due, id");
  asleep_list_ =
      db_.prepare("SELECT id FROM asleep WHERE listed = ? AND id < ? ORDER BY id DESC LIMIT ?");
  asleep_all_ = db_.prepare(
      "SELECT id FROM asleep WHERE listed IS NOT NULL AND id < ? ORDER BY id DESC LIMIT ?");
  due_ = db_.prepare(
      "SELECT due, id FROM asleep WHERE (due, id) > (?, ?) AND due < ? ORDER BY due, id LIMIT ?");
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

std::int64_t log_reader::hash_of(const std::string& key) {
  const auto digest = digest_of(key);
  std::int64_t hash = 0;
  std::memcpy(&hash, digest.data(), sizeof hash);
  return hash;
}

void log_reader::set_pauses(std::vector<pause> all) {
  const std::lock_guard lock{mutex_};
  pauses_ = std::move(all);
}

std::optional<log_store::sleeping_log> log_reader::read_asleep(game_id id) noexcept {
  std::optional<log_store::sleeping_log> found;
  attempt([&] {
    asleep_.bind(1, id.value);
    sqlite::rows one{asleep_};
    if (!one.next()) return;
    const auto records = asleep_.natural(0);
    const base::wall_time due{std::chrono::milliseconds{asleep_.number(3)}};
    const base::wall_time since{std::chrono::milliseconds{asleep_.number(4)}};
    found = log_store::sleeping_log{std::string{asleep_.blob(2)}, records, due};
    if (!asleep_.is_null(5)) found->to_move = static_cast<seat_set>(asleep_.natural(5));
    found->damaged = checksum_of_retained(id, records, asleep_.blob(2)) != asleep_.number(1);
    for (const auto& p : pauses_)
      if (p.ended > since) found->pauses.push_back(p);
  });
  return found;
}

std::vector<game_id> log_reader::asleep_with(const std::string& key, std::size_t most) noexcept {
  std::vector<game_id> found;
  attempt([&] {
    with_key_.bind(1, hash_of(key));
    with_key_.bind(2, most);
    for (sqlite::rows all{with_key_}; all.next();) found.push_back(game_id{with_key_.natural(0)});
  });
  return found;
}

std::vector<game_id> log_reader::asleep_before(std::string_view engine, game_id id,
                                               std::size_t most) noexcept {
  std::vector<game_id> found;
  attempt([&] {
    auto& list = engine.empty() ? asleep_all_ : asleep_list_;
    int at = 1;
    if (!engine.empty()) list.bind_text(at++, engine);
    list.bind(at, std::min(id.value, greatest));
    list.bind(at + 1, most);
    for (sqlite::rows all{list}; all.next();) found.push_back(game_id{list.natural(0)});
  });
  return found;
}

std::vector<journal::due_game> log_reader::due_after(journal::due_game after,
                                                     std::size_t most) noexcept {
  std::vector<journal::due_game> found;
  attempt([&] {
    due_.bind(1, std::int64_t{after.first.time_since_epoch().count()});
    due_.bind(2, after.second.value);
    due_.bind(3, std::int64_t{base::wall_time::max().time_since_epoch().count()});
    due_.bind(4, most);
    for (sqlite::rows all{due_}; all.next();)
      found.emplace_back(base::wall_time{std::chrono::milliseconds{due_.number(0)}},
                         game_id{due_.natural(1)});
  });
  return found;
}

std::vector<game_id> log_reader::ended_before(game_id id, std::size_t most) noexcept {
  std::vector<game_id> found;
  attempt([&] {
    list_.bind(1, std::min(id.value, greatest));
    list_.bind(2, most);
    for (sqlite::rows all{list_}; all.next();) found.push_back(game_id{list_.natural(0)});
  });
  return found;
}

}  // namespace gamehub::journal
