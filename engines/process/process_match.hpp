// One match at the other end of a line: what was told of it, and how to ask for more. Owned by the
// hub as any match, through the table of its engine; one thread at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/remote/remote_engine.hpp"
#include "engines/remote/words.hpp"

namespace gamehub::engines::remote {

// What all matches of a remote engine share. Any thread.
class exchange {
 public:
  exchange(description told, line& to) : told_(std::move(told)), line_(to) {}

  const description& told() const { return told_; }
  std::uint64_t life() const { return line_.life(); }
  bool bring_up() { return line_.bring_up(); }
  std::uint64_t next_match() { return ++matches_; }

  // Sends it, with what was released by then, and judges the reply as a whole.
  reply send(std::uint64_t life, request, std::chrono::nanoseconds more = {});
  // Ends the life if something is wrong, and throws.
  void judge(std::uint64_t life, const std::string& wrong);
  // The process may forget the match, which it hears of with the next request.
  void release(std::uint64_t life, std::uint64_t match) noexcept;
  // The word, to be kept as long as the program runs.
  gamehub_reason keep(std::uint64_t life, const std::string& word);

 private:
  struct released {
    std::uint64_t life, match;
  };

  const description told_;
  line& line_;
  std::atomic<std::uint64_t> matches_{0};
  std::mutex mutex_;
  std::vector<released> released_;
  std::set<std::string, std::less<>> reasons_;
};

class process_match {
 public:
  // Made when it is first used.
  process_match(exchange&, std::string options, std::int32_t players);
  // Made now, by a request of one of the kinds that make one.
  static process_match* make(exchange&, request, gamehub_reason& why);
  process_match* clone();
  ~process_match();
  process_match(const process_match&) = delete;
  process_match& operator=(const process_match&) = delete;

  exchange& home() { return home_; }
  // Throws engine_failure if the match can't be made.
  const state& now();
  gamehub_reason apply(std::int32_t seat, action);
  // Throws engine_failure if the engine failed at it.
  const answer& ask(query, std::chrono::nanoseconds more = {});
  // The reason of an answer, or nullptr.
  gamehub_reason reason_of(const answer&);
  // Who may know of the action.
  seats audience(std::int32_t seat, action);

 private:
  explicit process_match(exchange& home) : home_(home) {}

  struct known {
    query what;
    remote::answer answer;
    bool used = false;
  };

  void begin();
  void take(reply&, std::vector<query> asked);
  std::vector<query> usual_queries() const;

  exchange& home_;
  std::uint64_t life_ = 0;
  std::uint64_t id_ = 0;
  // Until it is made.
  struct plan {
    std::string options;
    std::int32_t players = 0;
  };
  std::optional<plan> plan_;
  std::optional<state> state_;
  std::vector<known> cached_;  // of this state
};

}  // namespace gamehub::engines::remote
