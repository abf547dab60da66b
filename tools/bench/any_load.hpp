// What any load can do, whatever wire it plays: many games at once on a running hub, all that the
// hub says checked against the rules, what was played counted. Owned by the bench, used on its
// thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "hub/app/bench/histogram.hpp"

namespace gamehub::app::bench {

using clock = std::chrono::steady_clock;

struct counts {
  std::uint64_t seats_ended = 0;  // two for each game that ended as it should
  std::uint64_t walkovers = 0;    // games that the opponent left, where that is nobody's mistake
  std::uint64_t moves = 0;        // that the opponent has read of
  histogram latency;              // of those that could be timed; over UDP of all answers

  std::uint64_t requests = 0;  // that were answered, over HTTP

  // Over UDP alone.
  std::uint64_t datagrams_sent = 0, datagrams_received = 0;
  std::uint64_t datagrams_repeated = 0;  // of those sent: again after a second without an answer

  std::uint64_t games() const { return seats_ended / 2; }
};

// What went wrong, by what it was.
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

  // Plays until all games have begun; false if they do not. May be stopped.
  virtual bool open(const stop_requested&) = 0;
  // Plays on, until that moment or until stopped.
  virtual void play(clock::time_point until, const stop_requested&) = 0;
  // A fault for each game in which nothing happened for so long.
  virtual void find_stalled(std::chrono::seconds) = 0;
  // Ends what runs, where leaving does not do it by itself.
  virtual void leave() {}
  // Games that go on now.
  virtual std::size_t running() const = 0;

  // Counts from zero from now on. Faults stay.
  void count_anew() { counts_ = {}; }
  const bench::counts& counts() const { return counts_; }
  const bench::faults& faults() const { return faults_; }

 protected:
  bench::counts counts_;
  bench::faults faults_;
};

}  // namespace gamehub::app::bench
