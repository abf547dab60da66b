// The feed of one game on one loop: its latest updates and its readers with their positions. A
// subscription delivers new updates; earlier ones come from the journal. Owned by the spectator
// service of the loop and used on that loop.
#pragma once

#include "actors/runtime/loop.hpp"
#include "actors/runtime/subscription.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gamehub::actors::spectate {

class loop_spectator_service;

class feed : public std::enable_shared_from_this<feed> {
 public:
  feed(std::shared_ptr<loop_spectator_service>, game_id);

  // Requests the game from the lobby. Called once, first.
  void begin();
  // Adds a reader that receives the updates after number `after`.
  std::unique_ptr<watch_handle> add(std::uint64_t after, std::shared_ptr<watcher>);
  // Removes all readers.
  void close();

  // Calls of the subscription.
  void on_waiting(std::shared_ptr<const game_metadata>);
  void follow(journal::record_number after);
  void on_update(const std::vector<update_ref>&);
  void end();
  void on_dropped();
  bool is_open() const { return open_.load(std::memory_order_relaxed); }

 private:
  enum class stage : std::uint8_t { asking, waiting, joining, live, ended, gone };
  // Why the log is replayed: for the updates before the subscription, for the end of a game without
  // subscription, or for readers that need updates which the feed no longer has.
  enum class purpose : std::uint8_t { join, end, past };

  struct reader {
    std::shared_ptr<watcher> who;  // null: the reader has left
    std::uint64_t next = 1;
    bool found = false;
    bool paused = false;

    bool can_read() const { return who && !paused; }
  };
  class handle;

  void fetch(purpose);
  void fetched(purpose, std::optional<game_replay>);
  void keep(std::vector<update_ref> history);
  void serve_later();
  void serve();
  void greet(reader&);
  // Returns false if a reader needs updates that the feed no longer has.
  bool send_updates(std::span<const std::shared_ptr<reader>>);
  // Returns null if the feed does not have the update.
  const update_ref* at(std::uint64_t number) const;
  std::uint64_t last() const { return updates_.empty() ? 0 : updates_.back()->number; }
  void tidy();
  void set_deadline();

  std::shared_ptr<loop_spectator_service> host_;
  game_id id_;
  stage stage_ = stage::asking;
  std::shared_ptr<const game_metadata> metadata_;
  std::deque<update_ref> updates_;  // the latest updates, without gaps
  std::vector<update_ref> past_;    // all updates from the first one, while slow readers are served
  std::vector<std::shared_ptr<reader>> readers_;
  std::uint64_t fetches_ = 0;  // number of the latest replay
  bool fetching_past_ = false;
  bool subscription_ended_ = false;
  bool serving_ = false, will_serve_ = false;
  std::atomic<bool> open_{true};
  base::timers::token deadline_;
};

// Returns the subscription of a feed. Any thread.
std::shared_ptr<runtime::subscription> make_subscription(runtime::loop& where,
                                                         std::shared_ptr<feed>);

}  // namespace gamehub::actors::spectate
