// What the arena keeps, as rows, and where: in a file, or in memory. Whoever owns the arena owns
// its store, closes it before the arena goes, and lets it go after it. Calls come from any thread;
// none blocks on a device but load() and close().
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hub/arena/bot.hpp"
#include "hub/arena/fixture.hpp"
#include "hub/arena/ratings.hpp"
#include "hub/arena/runs.hpp"

namespace gamehub::arena {

// Takes effect as a whole or not at all. What is put replaces what had the same id.
struct changes {
  std::vector<bot> bots;
  std::vector<fixture> fixtures;
  std::vector<fixture_id> withdrawn;  // fixtures that are taken back
  std::vector<failure> failures;
  std::vector<rating> ratings;
  std::vector<run> runs;
  std::vector<run_id> dropped;  // runs that go, with their fixtures

  bool empty() const {
    return bots.empty() && fixtures.empty() && withdrawn.empty() && failures.empty() &&
           ratings.empty() && runs.empty() && dropped.empty();
  }
};

// All that an arena begins with.
struct saved {
  std::vector<bot> bots;
  // All that have not ended, those of runs, and those that ended lately.
  std::vector<fixture> fixtures;
  std::vector<failure> failures;  // the latest of each bot, oldest first
  std::vector<rating> ratings;
  std::vector<run> runs;
  fixture_id last_fixture;  // no fixture had a greater id
};

class store {
 public:
  virtual ~store() = default;

  // Fixtures of no run that ended before are left out. Called once, before all else; may block.
  virtual saved load(wall_time ended_since) = 0;

  // Changes are written in the order of the calls.
  virtual void write(changes) = 0;

  // Calls back once all that was written so far is safe: by any thread, also within the call; never
  // if the store goes before.
  virtual void when_safe(std::function<void()>) = 0;

  // Whose token it is; nothing: nobody's, or it was revoked. Answered as when_safe() is.
  virtual void find_owner(const std::string& token,
                          std::function<void(std::optional<std::string>)> answer) = 0;

  // Writes what waits, if that can be done. From then on nothing is written, and nobody is called
  // back or answered. Destroying the store does the same.
  virtual void close() = 0;

  // Why nothing can be written just now; nothing: all is well. What was to be written waits.
  virtual std::optional<std::string> trouble() const = 0;
};

// What was written, as a value.
struct rows {
  std::map<bot_id, bot> bots;
  std::map<fixture_id, fixture> fixtures;
  std::vector<failure> failures;
  std::map<std::pair<std::string, bot_id>, rating> ratings;
  std::map<run_id, run> runs;

  void apply(const changes&);
  saved read(wall_time ended_since) const;
};

// Keeps it in the rows, for the next arena to begin with, or without them nowhere. Nothing is put
// off. `tokens` are owners by token.
std::unique_ptr<store> make_memory_store(std::shared_ptr<rows> = nullptr,
                                         std::map<std::string, std::string> tokens = {});

// Of each bot so many failures are kept.
inline constexpr std::size_t failures_kept = 16;

}  // namespace gamehub::arena
