// The fixture of tests of the durable journal: a temporary folder, a listener that waits for
// commits, and games to append. Used by one test at a time.
#pragma once

#include "hub/journal/log_writer.hpp"
#include "hub/journal/sqlite_writer.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <vector>

namespace gamehub::tests {

// Long enough for the slowest machine; a wait ends as soon as its condition is true.
inline constexpr std::chrono::seconds patience{30};

class folder {
 public:
  folder() {
    // In memory if possible: these tests call fsync thousands of times.
    const std::filesystem::path memory{"/dev/shm"};
    auto name =
        ((std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) /
         "gamehub-journal-XXXXXX")
            .string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
    path_ = name;
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Receives commits, and records a violation: a number that is not above the previous one.
class ears final : public journal::commit_listener {
 public:
  void committed(std::span<const journal::commit> list) override {
    {
      const std::lock_guard lock{mutex_};
      ++calls_;
      for (const auto& c : list) {
        auto& last = told_[c.game];
        if (c.number <= last) ++doubles_;
        last = c.number;
      }
    }
    changed_.notify_all();
  }

  // Returns true if the commit was reported in time.
  bool wait(game_id game, journal::record_number number) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, patience, [&] { return told_[game] >= number; });
  }
  journal::record_number told(game_id game) {
    const std::lock_guard lock{mutex_};
    return told_[game];
  }
  std::map<game_id, journal::record_number> all() {
    const std::lock_guard lock{mutex_};
    return told_;
  }
  int calls() {
    const std::lock_guard lock{mutex_};
    return calls_;
  }
  int doubles() {
    const std::lock_guard lock{mutex_};
    return doubles_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<game_id, journal::record_number> told_;
  int calls_ = 0, doubles_ = 0;
};

inline journal::game_header header(std::uint64_t id) {
  journal::game_header h;
  h.id = game_id{id};
  h.engine = "tictactoe";
  h.engine_version = "1.0.0";
  h.opened = base::wall_time{std::chrono::milliseconds{1'000}};
  return h;
}

inline journal::record record_of(std::uint64_t game, journal::record_number n) {
  journal::record r;
  r.number = n;
  r.at = base::wall_time{std::chrono::milliseconds{static_cast<std::int64_t>(1'000 + n)}};
  r.what = n == 1   ? journal::record::kind::opened
           : n <= 3 ? journal::record::kind::joined
                    : journal::record::kind::moved;
  r.action = static_cast<std::int64_t>(n == 2 || n == 3 ? 2 * game + n - 2 : n);
  if (r.what == journal::record::kind::joined) {
    r.text = "player " + std::to_string(r.action);
    r.secret = std::string(16, 's');
  }
  r.seat = static_cast<std::int16_t>(n % 2);
  if (r.what != journal::record::kind::joined) r.state = game * 1'000 + n;
  return r;
}

inline journal::record end_of(std::uint64_t game, journal::record_number n,
                              base::wall_time at = base::wall_time{
                                  std::chrono::milliseconds{2'000}}) {
  auto r = record_of(game, n);
  r.what = journal::record::kind::ended;
  r.at = at;
  return r;
}

inline bool same(const journal::record& a, const journal::record& b) {
  return a.number == b.number && a.at == b.at && a.what == b.what && a.action == b.action &&
         a.text == b.text && a.secret == b.secret && a.state == b.state && a.seat == b.seat;
}

// Returns true if these are the first records of that game, as record_of() makes them.
inline bool in_order(std::uint64_t game, const std::vector<journal::record>& records) {
  journal::record_number n = 0;
  for (const auto& r : records)
    if (++n != r.number || (r.what != journal::record::kind::ended && !same(r, record_of(game, n))))
      return false;
  return true;
}

inline void append(journal::journal& log, std::uint64_t game, journal::record_number first,
                   journal::record_number last, journal::commit_listener& to) {
  for (auto n = first; n <= last; ++n) {
    const std::array one{record_of(game, n)};
    log.append(game_id{game}, one, to);
  }
}

inline void end(journal::journal& log, std::uint64_t game, journal::record_number n,
                journal::commit_listener& to,
                base::wall_time at = base::wall_time{std::chrono::milliseconds{2'000}}) {
  const std::array one{end_of(game, n, at)};
  log.append(game_id{game}, one, to);
}

// A whole game of five records.
inline void play(journal::journal& log, std::uint64_t game, journal::commit_listener& to,
                 base::wall_time at = base::wall_time{std::chrono::milliseconds{2'000}}) {
  log.open(header(game));
  append(log, game, 1, 4, to);
  end(log, game, 5, to, at);
}

inline std::vector<std::uint64_t> open_ids(const journal::journal& log) {
  std::vector<std::uint64_t> ids;
  for (const auto& h : log.open_games()) ids.push_back(h.id.value);
  std::sort(ids.begin(), ids.end());
  return ids;
}

// Returns the ids of the games of adopted logs.
inline std::set<std::uint64_t> games_of(const std::vector<journal::adopted_log>& found) {
  std::set<std::uint64_t> ids;
  for (const auto& each : found)
    for (const auto& h : each.games) ids.insert(h.id.value);
  return ids;
}

inline journal::sqlite_settings settings(const std::filesystem::path& file) {
  journal::sqlite_settings s;
  s.file = file;
  return s;
}

// Short retry times, so that a test of many failures is fast.
inline journal::sqlite_tuning quick() {
  journal::sqlite_tuning t;
  t.retry_min = t.retry_max = std::chrono::milliseconds{1};
  t.lock_max = std::chrono::milliseconds{20};
  t.freed_per_transaction_min = 0;
  return t;
}

inline std::unique_ptr<journal::sqlite_writer> opened(
    const std::filesystem::path& file, const journal::sqlite_tuning& tuning = quick(),
    std::function<void(std::string_view)> log_trouble = {}) {
  return std::make_unique<journal::sqlite_writer>(settings(file), tuning, std::move(log_trouble));
}

}  // namespace gamehub::tests
