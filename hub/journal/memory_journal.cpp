#include <array>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "hub/journal/journal.hpp"

namespace gamehub::journal {

namespace {

struct game_log {
  game_header header;
  std::vector<record> records;
  bool ended = false;
};

// Games are spread over shards, each with its lock, so that loops rarely meet.
class memory_journal final : public journal {
 public:
  explicit memory_journal(std::size_t ended_kept) : ended_kept_(ended_kept / shard_count) {}

  void open(const game_header& header) override {
    auto& s = shard_of(header.id);
    const std::lock_guard lock{s.mutex};
    s.logs[header.id].header = header;
  }

  record_number append(game_id game, std::span<const record> added, commit_listener&) override {
    auto& s = shard_of(game);
    const std::lock_guard lock{s.mutex};
    auto& log = s.logs.at(game);
    for (const auto& r : added) {
      if (log.ended || r.number != log.records.size() + 1)
        throw std::logic_error{"journal: a record out of order"};
      log.records.push_back(r);
      if (r.what == record::kind::ended) log.ended = true;
    }
    const auto last = static_cast<record_number>(log.records.size());
    if (log.ended) s.retire(game, ended_kept_);
    return last;
  }

  std::vector<record> read(game_id game, record_number after) const override {
    const auto& s = shard_of(game);
    const std::lock_guard lock{s.mutex};
    const auto at = s.logs.find(game);
    if (at == s.logs.end() || after >= at->second.records.size()) return {};
    const auto& records = at->second.records;
    return {records.begin() + static_cast<std::ptrdiff_t>(after), records.end()};
  }

  std::vector<game_header> open_games() const override {
    std::vector<game_header> found;
    for (const auto& s : shards_) {
      const std::lock_guard lock{s.mutex};
      for (const auto& [game, log] : s.logs)
        if (!log.ended) found.push_back(log.header);
    }
    return found;
  }

 private:
  static constexpr std::size_t shard_count = 16;

  struct shard {
    mutable std::mutex mutex;
    std::unordered_map<game_id, game_log> logs;
    std::deque<game_id> ended;

    void retire(game_id game, std::size_t keep) {
      ended.push_back(game);
      while (ended.size() > keep) {
        logs.erase(ended.front());
        ended.pop_front();
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
