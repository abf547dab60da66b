// A journal whose commits come only when the test says so: for one game, for all, from whichever
// thread says it. It shows what the commit gate holds back. Wraps the memory journal; any thread.
#pragma once

#include "hub/journal/journal.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::tests {

class late_journal final : public journal::journal {
 public:
  using record_number = gamehub::journal::record_number;
  using commit_listener = gamehub::journal::commit_listener;
  using game_header = gamehub::journal::game_header;
  using record = gamehub::journal::record;

  explicit late_journal(bool late = true) : late_(late) {}

  void open(const game_header& header) override {
    const std::lock_guard lock{mutex_};
    inner_->open(header);
    headers_.push_back(header);
  }

  record_number append(game_id game, std::span<const record> records,
                       commit_listener& listener) override {
    const std::lock_guard lock{mutex_};
    if (away_.contains(game)) throw std::logic_error{"a record of a game that is asleep"};
    rows_.erase(game);
    auto& log = logs_[game];
    log.appended = inner_->append(game, records, nobody_);
    log.listener = &listener;
    if (!late_) log.committed = log.appended;
    return log.committed;
  }

  std::vector<record> read(game_id game, record_number after) const override {
    const std::lock_guard lock{mutex_};
    if (unreadable_.contains(game)) return {};
    auto found = inner_->read(game, after);
    const auto at = logs_.find(game);
    const auto upto = at == logs_.end() ? 0 : at->second.committed;
    std::erase_if(found, [upto](const record& r) { return r.number > upto; });
    return found;
  }

  std::optional<gamehub::journal::game_log> find(game_id game) const override {
    const std::lock_guard lock{mutex_};
    if (unreadable_.contains(game)) return std::nullopt;
    auto found = inner_->find(game);
    const auto at = logs_.find(game);
    const auto upto = at == logs_.end() ? 0 : at->second.committed;
    if (found) std::erase_if(found->records, [&](const record& r) { return r.number > upto; });
    if (found && found->records.empty()) found.reset();
    return found;
  }

  std::vector<game_id> ended_before(game_id before, std::size_t most) const override {
    const std::lock_guard lock{mutex_};
    return inner_->ended_before(before, most);
  }

  bool read_later(std::function<void()>&& reads) override {
    if (!refuses_reads) reads();
    return !refuses_reads;
  }
  bool reads_full() const override { return refuses_reads; }

  void claim_games(game_id upto) override {
    const std::lock_guard lock{mutex_};
    claimed_ = std::max(claimed_, upto);
  }

  std::vector<game_header> open_games() const override {
    const std::lock_guard lock{mutex_};
    auto open = inner_->open_games();
    std::erase_if(open, [this](const game_header& h) { return away_.contains(h.id); });
    return open;
  }

  void flush() override {}
  bool durable() const override { return durable_; }
  numbers last_numbers() const override {
    numbers last{claimed_, {}};
    for (const auto& h : headers()) {
      last.game = std::max(last.game, h.id);
      for (const auto& r : read(h.id, 0))
        if (r.what == record::kind::joined)
          last.player = std::max(last.player, player_id{static_cast<std::uint64_t>(r.action)});
    }
    return last;
  }
  base::wall_time last_written() const override {
    base::wall_time last{};
    for (const auto& h : headers())
      for (const auto& r : read(h.id, 0)) last = std::max(last, r.at);
    return last;
  }
  std::optional<std::string> trouble() const override {
    const std::lock_guard lock{mutex_};
    return trouble_;
  }
  bool congested() const override { return false; }
  void announce_replay(std::span<const game_id> lot) override {
    lots.emplace_back(lot.begin(), lot.end());
  }
  void replayed(std::span<const game_id> lot) override {
    safe.insert(safe.end(), lot.begin(), lot.end());
  }
  int suspicions(game_id game) const override {
    const auto at = suspected.find(game);
    return at == suspected.end() ? 0 : at->second;
  }
  void quarantine(game_id game, const std::string& why) override { put_aside[game] = why; }

  std::vector<game_id> hand_over(std::span<const gamehub::journal::handed_game> games) override {
    const std::lock_guard lock{mutex_};
    if (!hands_over) return journal::hand_over(games);
    for (const auto& g : games) {
      handed_over.push_back(g.id);
      logs_[g.id].listener = g.listener;
    }
    return {};
  }
  // What was written about the game beside records: that it is another hub's, or a first move.
  void commit_note(game_id game) {
    const gamehub::journal::commit news{game, committed(game)};
    commit_listener* told = nullptr;
    {
      const std::lock_guard lock{mutex_};
      told = logs_.at(game).listener;
    }
    told->committed({&news, 1});
  }
  announced announce_move(game_id game, commit_listener& listener) override {
    const std::lock_guard lock{mutex_};
    if (!announces_moves) return announced::no;
    moves_announced.push_back(game);
    if (announces_at_once) return announced::done;
    logs_[game].listener = &listener;
    return announced::pending;
  }
  void move_survived(game_id game) override { moves_survived.push_back(game); }
  bool stores_away() const override { return stores_logs; }
  bool put_to_sleep(gamehub::journal::sleep_entry entry,
                    std::function<void(game_id)> then) override {
    if (!stores_logs) return false;
    const auto id = entry.id;
    {
      const std::lock_guard lock{mutex_};
      if (files_late) {
        unfiled_[id] = {std::move(entry), std::move(then)};
        return true;
      }
      away_.insert(id);
      rows_.insert_or_assign(id, std::move(entry));
    }
    then(id);
    return true;
  }
  // Writes the rows that were not written because of files_late.
  void file_all() {
    files_late = false;
    for (auto& [id, what] : std::exchange(unfiled_, {}))
      put_to_sleep(std::move(what.first), std::move(what.second));
  }
  bool bring_back(game_id game) override {
    const std::lock_guard lock{mutex_};
    if (unreadable_.contains(game)) return false;
    unfiled_.erase(game);
    away_.erase(game);
    return true;
  }
  std::optional<gamehub::journal::sleeping_game> find_asleep(game_id game) const override {
    {
      const std::lock_guard lock{mutex_};
      ++looks_;
      if (!away_.contains(game)) return std::nullopt;
    }
    auto log = find(game);
    if (!log) return std::nullopt;
    return gamehub::journal::sleeping_game{*std::move(log), rows_.at(game).due, pauses,
                                           rows_.at(game).to_move};
  }
  // How often find_asleep() was called.
  std::uint64_t looks() const {
    const std::lock_guard lock{mutex_};
    return looks_;
  }
  std::vector<game_id> asleep_with(const std::string& key, std::size_t most) const override {
    return rows_by_due(most, [&](const auto& row) {
      return away_.contains(row.id) &&
             std::find(row.keys.begin(), row.keys.end(), key) != row.keys.end();
    });
  }
  std::vector<game_id> asleep_before(std::string_view engine, game_id before,
                                     std::size_t most) const override {
    auto found = rows_by_due(~std::size_t{0}, [&](const auto& row) {
      return !row.listed.empty() && (engine.empty() || row.listed == engine) && before > row.id;
    });
    std::sort(found.rbegin(), found.rend());
    found.resize(std::min(found.size(), most));
    return found;
  }
  std::vector<due_game> due_after(due_game after, std::size_t most) const override {
    std::vector<due_game> found;
    for (const auto id : rows_by_due(~std::size_t{0}, [&](const auto& row) {
           return row.due != base::wall_time::max() && due_game{row.due, row.id} > after;
         }))
      if (found.size() < most) found.emplace_back(rows_.at(id).due, id);
    return found;
  }
  std::uint64_t asleep() const override {
    const std::lock_guard lock{mutex_};
    return away_.size();
  }
  // In which no hub ran while games were asleep; one thread.
  std::vector<gamehub::journal::pause> pauses;
  // Whether logs of open games leave memory, and do so by file_all() only; one thread.
  bool stores_logs = false, files_late = false;
  // The games whose logs have.
  std::set<game_id> away() const {
    const std::lock_guard lock{mutex_};
    return away_;
  }
  // The log can't be read, or can again.
  void set_readable(game_id game, bool readable) {
    const std::lock_guard lock{mutex_};
    if (readable)
      unreadable_.erase(game);
    else
      unreadable_.insert(game);
  }

  // Whether first moves are announced, and those that were; one thread.
  bool announces_moves = false, announces_at_once = false;
  std::vector<game_id> moves_announced, moves_survived;

  // Whether another hub takes games, and those that were given to it; one thread.
  bool hands_over = false;
  std::vector<game_id> handed_over;
  // As a queue of reads that is full; one thread.
  bool refuses_reads = false;

  // What a recovery said of replays, and what it is told; one thread.
  std::vector<std::vector<game_id>> lots;
  std::vector<game_id> safe;
  std::map<game_id, int> suspected;
  std::map<game_id, std::string> put_aside;

  // What a program that was killed just now would leave: what is committed.
  std::unique_ptr<late_journal> left_behind() const {
    auto copy = std::make_unique<late_journal>(false);
    copy->be_durable();
    copy->claimed_ = claimed_;
    for (const auto& h : headers()) {
      const auto log = read(h.id, 0);
      if (log.empty()) continue;
      copy->open(h);
      copy->append(h.id, log, copy->nobody_);
    }
    copy->stores_logs = stores_logs;
    copy->away_ = away_;
    copy->rows_ = rows_;
    copy->pauses = pauses;
    return copy;
  }

  // From now on it says so of itself.
  void be_durable() { durable_ = true; }
  void be_in_trouble(std::optional<std::string> why) {
    const std::lock_guard lock{mutex_};
    trouble_ = std::move(why);
  }

  // The game's log is safe up to that number, or as far as it goes.
  void commit(game_id game, record_number upto = ~record_number{0}) {
    commit_listener* told = nullptr;
    {
      const std::lock_guard lock{mutex_};
      auto& log = logs_[game];
      upto = std::min(upto, log.appended);
      if (upto <= log.committed) return;
      log.committed = upto;
      told = log.listener;
    }
    const gamehub::journal::commit news{game, upto};
    told->committed({&news, 1});
  }

  void commit_all() {
    for (const auto game : pending()) commit(game);
  }

  // From now on records are committed as they come, or no more so.
  void be_late(bool late) {
    {
      const std::lock_guard lock{mutex_};
      late_ = late;
    }
    if (!late) commit_all();
  }

  record_number committed(game_id game) const {
    const std::lock_guard lock{mutex_};
    const auto at = logs_.find(game);
    return at == logs_.end() ? 0 : at->second.committed;
  }

  // Games with records that wait for their commit.
  std::vector<game_id> pending() const {
    const std::lock_guard lock{mutex_};
    std::vector<game_id> found;
    for (const auto& [game, log] : logs_)
      if (log.committed < log.appended) found.push_back(game);
    return found;
  }

  // Every game that was ever opened, oldest first.
  std::vector<game_header> headers() const {
    const std::lock_guard lock{mutex_};
    return headers_;
  }

 private:
  // Returns the games whose rows fit, those that are due first.
  template <class Fits>
  std::vector<game_id> rows_by_due(std::size_t most, Fits fits) const {
    const std::lock_guard lock{mutex_};
    std::set<due_game> found;
    for (const auto& [id, row] : rows_)
      if (fits(row)) found.emplace(row.due, id);
    std::vector<game_id> ids;
    for (const auto& each : found)
      if (ids.size() < most) ids.push_back(each.second);
    return ids;
  }

  struct deaf final : commit_listener {
    void committed(std::span<const gamehub::journal::commit>) override {}
  };
  struct progress {
    record_number appended = 0, committed = 0;
    commit_listener* listener = nullptr;
  };

  // Enough for every game of a test.
  static constexpr std::size_t kept = 1'000'000;

  mutable std::mutex mutex_;
  std::unique_ptr<journal> inner_ = gamehub::journal::make_memory_journal(kept);
  deaf nobody_;
  std::map<game_id, progress> logs_;
  std::vector<game_header> headers_;
  game_id claimed_;
  std::optional<std::string> trouble_;
  std::set<game_id> away_, unreadable_;
  mutable std::uint64_t looks_ = 0;
  std::map<game_id, gamehub::journal::sleep_entry> rows_;  // of games that are asleep, or were
  std::map<game_id, std::pair<gamehub::journal::sleep_entry, std::function<void(game_id)>>>
      unfiled_;
  bool late_;
  bool durable_ = false;
};

}  // namespace gamehub::tests
