#include "hub/journal/sqlite_reader.hpp"

#include <exception>
#include <string>

#include "hub/journal/sqlite_gathering.hpp"

namespace gamehub::journal {

namespace {

// A reader waits for nobody in WAL mode, but for the moment in which a log begins anew.
constexpr std::chrono::milliseconds lock_max{100};

}  // namespace

void log_reader::connect() {
  ended_ = {};
  kept_ = {};
  db_ = {};
  db_ = sqlite::database{file_, sqlite::mode::read, lock_max};
  ended_ = db_.prepare("SELECT ended, records, sum, log FROM games WHERE id = ?");
  kept_ = db_.prepare("SELECT 0, records, sum, log FROM kept WHERE id = ? AND why IS NOT NULL");
}

std::vector<record> log_reader::read(game_id id, record_number after) noexcept {
  const std::lock_guard lock{mutex_};
  try {
    if (!kept_) connect();
    for (auto* from : {&ended_, &kept_}) {
      from->bind(1, id.value);
      sqlite::rows one{*from};
      if (!one.next()) continue;
      const wall_time ended{std::chrono::milliseconds{from->number(0)}};
      const auto records = from->natural(1);
      const auto log = from->blob(3);
      const auto sum =
          from == &ended_ ? sum_of_ended(id, ended, records, log) : sum_of_kept(id, records, log);
      return sum == from->number(2) ? records_of(log, records, after) : std::vector<record>{};
    }
  } catch (const std::exception&) {
    kept_ = {};  // so that the next read begins anew
  }
  return {};
}

}  // namespace gamehub::journal
