#include "hub/journal/encoding.hpp"
#include "hub/journal/journal.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gamehub::journal {

namespace {

// Stored as bytes: many games are open at once, and most of them are never read.
struct stored_log {
  std::string bytes;  // the header, then the records
  std::uint32_t records = 0;
  bool ended = false;
};

// Requires: bytes that append_encoded made.
game_header header_of(std::string_view& bytes) { return take_header(bytes).value(); }

// Games are distributed over shards, each with its own lock, so that loops rarely contend.
class memory_journal final : public journal {
 public:
  explicit memory_journal(std::size_t ended_kept) : ended_kept_(ended_kept / shard_count) {}

  void open(const game_header& header) override {
    auto& s = shard_of(header.id);
    const std::lock_guard lock{s.mutex};
    append_encoded(header, s.new_log(header.id).bytes);
  }

  record_number append(game_id game, std::span<const record> added, commit_listener&) override {
    auto& s = shard_of(game);
    const std::lock_guard lock{s.mutex};
    auto& log = s.logs.at(game);
    for (const auto& r : added) {
      if (log.ended || r.number != log.records + 1)
        throw std::logic_error{"journal: a record out of order"};
      append_encoded(r, log.bytes);
      ++log.records;
      if (r.what == record::kind::ended) log.ended = true;
    }
    const auto last = record_number{log.records};
    if (log.ended) s.retire(game, ended_kept_);
    return last;
  }

  void flush() override {}

  std::optional<game_log> find(game_id game) const override {
    const auto& s = shard_of(game);
    const std::lock_guard lock{s.mutex};
    const auto at = s.logs.find(game);
    if (at == s.logs.end() || at->second.records == 0) return std::nullopt;
    std::string_view bytes = at->second.bytes;
    game_log found{header_of(bytes), {}};
    for (record_number n = 1; n <= at->second.records; ++n)
      found.records.push_back(take_record(bytes, n).value());
    return found;
  }

  std::vector<game_id> ended_before(game_id before, std::size_t most) const override {
    std::vector<game_id> found;
    for (const auto& s : shards_) {
      const std::lock_guard lock{s.mutex};
      for (const auto id : s.ended)
        if (id < before) found.push_back(id);
    }
    std::sort(found.begin(), found.end(), std::greater<>{});
    if (found.size() > most) found.resize(most);
    return found;
  }

  void claim_games(game_id) override {}

  std::vector<record> read(game_id game, record_number after) const override {
    const auto& s = shard_of(game);
    const std::lock_guard lock{s.mutex};
    const auto at = s.logs.find(game);
    std::vector<record> found;
    if (at == s.logs.end() || after >= at->second.records) return found;
    std::string_view bytes = at->second.bytes;
    header_of(bytes);
    for (record_number n = 1; n <= at->second.records; ++n) {
      auto r = take_record(bytes, n).value();
      if (n > after) found.push_back(std::move(r));
    }
    return found;
  }

  std::vector<game_header> open_games() const override {
    std::vector<game_header> found;
    for (const auto& s : shards_) {
      const std::lock_guard lock{s.mutex};
      for (const auto& [game, log] : s.logs)
        if (!log.ended) {
          std::string_view bytes = log.bytes;
          found.push_back(header_of(bytes));
        }
    }
    return found;
  }

  bool durable() const override { return false; }
  numbers last_numbers() const override { return {}; }
  base::wall_time last_written() const override { return {}; }
  std::optional<std::string> trouble() const override { return std::nullopt; }
  bool congested() const override { return false; }
  // A journal in memory has nothing to replay at the start.
  void announce_replay(std::span<const game_id>) override {}
  void replayed(std::span<const game_id>) override {}
  int suspicions(game_id) const override { return 0; }
  void quarantine(game_id game, const std::string&) override {
    auto& s = shard_of(game);
    const std::lock_guard lock{s.mutex};
    if (const auto at = s.logs.find(game); at != s.logs.end()) at->second.ended = true;
  }

 private:
  static constexpr std::size_t shard_count = 16;
  // The header and the first records of a game for two. With the zero behind them and what the
  // allocator adds they take 128 bytes.
  static constexpr std::size_t bytes_at_start = 119;
  // A larger log is not the memory of another game.
  static constexpr std::size_t bytes_reused_max = 512;

  struct shard {
    mutable std::mutex mutex;
    std::unordered_map<game_id, stored_log> logs;
    std::deque<game_id> ended;
    std::unordered_map<game_id, stored_log>::node_type forgotten;  // the latest one, to be reused

    stored_log& new_log(game_id game) {
      if (!forgotten) {
        auto& log = logs[game];
        log.bytes.reserve(bytes_at_start);
        return log;
      }
      forgotten.key() = game;
      auto bytes = std::move(forgotten.mapped().bytes);
      bytes.clear();
      forgotten.mapped() = {std::move(bytes)};
      return logs.insert(std::move(forgotten)).position->second;
    }

    void retire(game_id game, std::size_t keep) {
      ended.push_back(game);
      while (ended.size() > keep) {
        auto oldest = logs.extract(ended.front());
        ended.pop_front();
        if (oldest && oldest.mapped().bytes.capacity() <= bytes_reused_max)
          forgotten = std::move(oldest);
      }
    }
  };

  shard& shard_of(game_id game) { return shards_[game.value % shard_count]; }
  const shard& shard_of(game_id game) const { return shards_[game.value % shard_count]; }

  std::size_t ended_kept_;
  std::array<shard, shard_count> shards_;
};

}  // namespace

std::unique_ptr<journal> make_memory_journal(std::size_t ended_kept) {
  return std::make_unique<memory_journal>(ended_kept);
}

}  // namespace gamehub::journal
