// One game as it is watched on one loop: its updates so far, whoever reads them, and where each of
// them is. It follows the game by a line and gets what was before from the journal. Owned by the
// loop's gallery, used on that loop only.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "actors/line.hpp"
#include "actors/loop.hpp"
#include "actors/retelling.hpp"

namespace gamehub::actors {

// What a feed needs of the gallery.
class feed_host {
 public:
  virtual ~feed_host() = default;

  virtual loop& where() const = 0;
  // Hands the line to the lobby.
  virtual void find(game_id, std::shared_ptr<line>) = 0;
  // Tells the game's log. Nothing: there is none.
  virtual void replay_log(game_id, std::function<void(std::optional<replayed_game>)>) = 0;
  // Nobody has watched it for a while, or nobody ever can.
  virtual void forget(game_id) = 0;
};

class feed : public std::enable_shared_from_this<feed> {
 public:
  feed(std::shared_ptr<feed_host>, game_id);

  // Looks for the game. Once, before anything else.
  void begin();
  std::unique_ptr<watching> add(std::uint64_t after, std::shared_ptr<watcher>);
  // Nothing is told any more.
  void close();

  // By the line.
  void waits(std::shared_ptr<const game_metadata>);
  void follow(journal::record_number after);
  void hear(std::vector<update_ref>);
  void end();
  void cut();
  bool listens() const { return open_.load(std::memory_order_relaxed); }

 private:
  enum class stage : std::uint8_t { asking, waiting, joining, live, ended, gone };
  // Why the log is told: to have what was before, to have the end without a line, or for those who
  // are further behind than what is kept.
  enum class purpose : std::uint8_t { join, end, past };

  struct reader {
    std::shared_ptr<watcher> who;  // null: it has gone
    std::uint64_t next = 1;
    bool found = false;
    bool paused = false;
  };
  class handle;

  void fetch(purpose);
  void fetched(purpose, std::optional<replayed_game>);
  void keep(std::vector<update_ref> history);
  void serve_later();
  void serve();
  void serve(reader&);
  // Null: not kept.
  const update_ref* at(std::uint64_t number) const;
  std::uint64_t last() const { return updates_.empty() ? 0 : updates_.back()->number; }
  void tidy();
  void set_deadline();

  std::shared_ptr<feed_host> host_;
  game_id id_;
  stage stage_ = stage::asking;
  std::shared_ptr<const game_metadata> metadata_;
  std::deque<update_ref> updates_;  // the latest, without gaps
  std::vector<update_ref> past_;    // from the first one, while those behind are served
  std::vector<std::shared_ptr<reader>> readers_;
  std::uint64_t fetches_ = 0;  // the number of the latest one
  bool fetching_past_ = false;
  bool subscription_ended_ = false;
  bool serving_ = false, will_serve_ = false;
  std::atomic<bool> open_{true};
  timers::token deadline_;
};

// The line of a feed. Any thread.
std::shared_ptr<line> make_subscription(loop& where, std::shared_ptr<feed>);

}  // namespace gamehub::actors
