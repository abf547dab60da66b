// One match in an engine process, with the cached answers about its state. Owned by the hub like
// any match, through the table of its engine. Used by one thread at a time.
#pragma once

#include "engines/process/process_engine.hpp"
#include "engines/process/wire_format.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::engines::process {

// Returns the failure that the process reported. Its texts are cut and checked, because they come
// from the engine.
host::engine_failure failure_of(const failure_text&, const char* otherwise);

// Keeps the failure of a function that reports it by its result, until take_failure().
void report_failure(const char* function, const host::engine_failure&);

// The extension failure of engines in a process: as gamehub_failure::take().
std::size_t take_failure(const char* function, char* out, std::size_t capacity);

// Data that all matches of an engine process share. Any thread.
class exchange {
 public:
  // The numbers of its matches follow `last_match`: two exchanges of one process have different
  // ones.
  exchange(description engine_description, channel& to, std::uint64_t last_match = 0)
      : description_(std::move(engine_description)), channel_(to), last_match_(last_match) {}

  const description& engine_description() const { return description_; }
  std::uint64_t life() const { return channel_.life(); }
  bool bring_up() { return channel_.start_process(); }
  void wake(std::function<void()> then) { channel_.wake(std::move(then)); }
  std::uint64_t next_match() { return ++last_match_; }
  // The number of matches that exist.
  std::size_t matches() const { return matches_.load(std::memory_order_relaxed); }
  void count_match(bool more) { more ? ++matches_ : --matches_; }

  // Sends a request together with the released matches, and validates the reply as a whole.
  reply send(std::uint64_t life, request, std::chrono::nanoseconds more = {});
  // Ends the life and throws engine_failure if `wrong` is not empty.
  void reject_if(std::uint64_t life, const std::string& wrong);
  // Releases a match in the process with the next request.
  void release(std::uint64_t life, std::uint64_t match) noexcept;
  // Returns the word with the lifetime of the program.
  gamehub_reason keep(std::uint64_t life, const std::string& word);

 private:
  struct released {
    std::uint64_t life, match;
  };

  const description description_;
  channel& channel_;
  std::atomic<std::uint64_t> last_match_;
  std::atomic<std::size_t> matches_{0};
  std::mutex mutex_;
  std::vector<released> released_;
  std::set<std::string, std::less<>> reasons_;
};

// One match.
class process_match {
 public:
  // A match that is created at its first use.
  process_match(exchange&, std::string options, std::int32_t players);
  // Creates a match by a request of kind create, load or clone.
  static process_match* make(exchange&, request, gamehub_reason& why);
  process_match* clone();
  ~process_match();
  process_match(const process_match&) = delete;
  process_match& operator=(const process_match&) = delete;

  exchange& owner() { return exchange_; }
  // Returns the current state. Throws engine_failure if the match can't be created.
  const state_summary& now();
  gamehub_reason apply(std::int32_t seat, action);
  // Returns the answer to a query, from the cache if possible. Throws engine_failure if the engine
  // failed.
  const query_result& ask(query, std::chrono::nanoseconds more = {});
  // Returns the reason of a refusal, or nullptr.
  gamehub_reason reason_of(const query_result&);
  // Returns the viewers that may see the action.
  seats audience(std::int32_t seat, action);

 private:
  explicit process_match(exchange& owner) : exchange_(owner) { owner.count_match(true); }

  struct cached_answer {
    query what;
    query_result answer;
    bool used = false;
  };

  // The state after a move that was read and not applied yet.
  struct prepared_move {
    std::uint64_t id = 0;  // of its match in the process
    std::int32_t seat = 0;
    action what = 0;
    reply then;
    std::vector<query> asked;
  };

  void begin();
  void take(reply&, std::vector<query> asked);
  std::vector<query> usual_queries() const;
  std::vector<query> with_related(const query&) const;
  bool may_play(const query&) const;
  std::optional<query_result> play(const query&);
  void add_to_cache(query, query_result);
  void drop_prepared();

  exchange& exchange_;
  std::uint64_t life_ = 0;
  std::uint64_t id_ = 0;
  // The arguments of create, until the match is created.
  struct plan {
    std::string options;
    std::int32_t players = 0;
  };
  std::optional<plan> plan_;
  std::optional<state_summary> state_;
  std::vector<cached_answer> cached_;  // of this state
  std::optional<prepared_move> prepared_;
  seats listing_ = 0;  // whose legal actions were asked for, in any state
};

}  // namespace gamehub::engines::process
