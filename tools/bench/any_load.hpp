// The interface of a load: it plays many concurrent games on a running hub over one protocol,
// checks all messages of the hub against the rules, and counts. Owned by the bench, used on its
// thread.
#pragma once

#include "tools/bench/histogram.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gamehub::tools::bench {

using clock = std::chrono::steady_clock;

struct counts {
  std::uint64_t seats_ended = 0;  // two for each game that ended correctly
  std::uint64_t walkovers = 0;    // games that the opponent left without an error of the hub
  std::uint64_t moves = 0;        // that the opponent has read
  histogram latency;              // of the timed moves; over UDP of all answers
  histogram starts;  // from asking for a game to its first message; not over UDP and HTTP

  std::uint64_t requests = 0;  // answered, over HTTP

  // Only over UDP.
  std::uint64_t datagrams_sent = 0, datagrams_received = 0;
  std::uint64_t datagrams_repeated = 0;  // sent again after a second without an answer

  std::uint64_t games() const { return seats_ended / 2; }
};

// The errors of a run, counted by text.
class faults {
 public:
  void add(std::string_view what);
  std::uint64_t count() const { return count_; }
  const std::map<std::string, std::uint64_t, std::less<>>& by_text() const { return by_text_; }

 private:
  static constexpr std::size_t texts_max = 16;

  std::map<std::string, std::uint64_t, std::less<>> by_text_;
  std::uint64_t count_ = 0;
};

class any_load {
 public:
  using stop_requested = std::function<bool()>;

  virtual ~any_load() = default;

  // Plays until all games have begun. Returns false if some do not, or if stopped.
  virtual bool open(const stop_requested&) = 0;
  // Plays until the given time, or until stopped.
  virtual void play(clock::time_point until, const stop_requested&) = 0;
  // Counts a fault for each game without progress in this time.
  virtual void find_stalled(std::chrono::seconds) = 0;
  // Ends the running games if closing the connections does not end them.
  virtual void leave() {}
  // The number of running games.
  virtual std::size_t running() const = 0;

  // Sets all counts to zero, but not the faults.
  void reset_counts() { counts_ = {}; }
  const bench::counts& counts() const { return counts_; }
  const bench::faults& faults() const { return faults_; }

 protected:
  bench::counts counts_;
  bench::faults faults_;
};

}  // namespace gamehub::tools::bench
