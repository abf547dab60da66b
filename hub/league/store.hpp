// The storage of the league: rows in a file or in memory. The composition owns the store, closes it
// before the league is destroyed, and destroys it after the league. Any thread; only load() and
// close() block on a device.
#pragma once

#include "hub/core/scheduled_match.hpp"
#include "hub/league/failure.hpp"
#include "hub/league/ratings.hpp"
#include "hub/league/tournaments.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::league {

// One atomic change. A row replaces the row with the same id.
struct changes {
  std::vector<bot_record> bots;
  std::vector<scheduled_match> fixtures;
  std::vector<match_id> withdrawn;  // matches that are removed
  std::vector<failure> failures;
  std::vector<rating> ratings;
  std::vector<tournament> runs;
  std::vector<run_id> dropped;  // tournaments that are removed with their matches
  std::vector<bot_id> removed;  // bots that are removed with their failures and ratings

  bool empty() const {
    return bots.empty() && fixtures.empty() && withdrawn.empty() && failures.empty() &&
           ratings.empty() && runs.empty() && dropped.empty() && removed.empty();
  }
};

// The data that a league loads at the start.
struct saved {
  std::vector<bot_record> bots;
  // All matches that have not ended, those of tournaments, and those that ended lately.
  std::vector<scheduled_match> fixtures;
  std::vector<failure> failures;  // the latest of each bot, oldest first
  std::vector<rating> ratings;
  std::vector<tournament> runs;
  match_id last_fixture;  // the greatest id ever used
  bot_id last_bot;        // likewise; the id of a removed bot is not used again
};

class store {
 public:
  virtual ~store() = default;

  // Reads everything, except matches outside of tournaments that ended before. Called once, before
  // any other function; may block.
  virtual saved load(base::wall_time ended_since) = 0;

  // Queues changes. They are written in the order of the calls.
  virtual void write(changes) = 0;

  // Calls back once all changes so far are durable: from any thread, also within the call. Never
  // calls back after the store was closed.
  virtual void when_safe(std::function<void()>) = 0;

  // Finds the owner of a token; nothing: it is unknown or revoked. Calls back as when_safe().
  virtual void find_owner(const std::string& token,
                          std::function<void(std::optional<std::string>)> answer) = 0;

  // Writes the pending changes, if that is possible. After this nothing is written and no callback
  // runs. Destroying the store does the same.
  virtual void close() = 0;

  // Returns why the store can't write now, or nothing if it can. Changes stay pending meanwhile.
  virtual std::optional<std::string> trouble() const = 0;
};

// The rows of a store in memory.
struct rows {
  std::map<bot_id, bot_record> bots;
  std::map<match_id, scheduled_match> fixtures;
  std::vector<failure> failures;
  std::map<std::pair<std::string, bot_id>, rating> ratings;
  std::map<run_id, tournament> runs;
  bot_id last_bot;

  void apply(const changes&);
  saved read(base::wall_time ended_since) const;
};

// Returns a store in memory, which writes into `rows` if given. Every change is durable at once.
// `tokens` maps tokens to owners.
std::unique_ptr<store> make_memory_store(std::shared_ptr<rows> = nullptr,
                                         std::map<std::string, std::string> tokens = {});

// Errors that are stored of each bot.
inline constexpr std::size_t failures_kept = 16;

}  // namespace gamehub::league
