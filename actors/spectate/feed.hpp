// The feed of one game on one loop, for its spectators or for the player of one seat: its latest
// updates and its readers with their positions. A subscription delivers new updates; earlier ones
// come from the journal. Owned by the spectator service of the loop and used on that loop.
#pragma once

#include "actors/runtime/loop.hpp"
#include "actors/runtime/subscription.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gamehub::actors::spectate {

class loop_spectator_service;

class feed : public std::enable_shared_from_this<feed> {
 public:
  // `far`: the hub that has the game; none: this one.
  feed(std::shared_ptr<loop_spectator_service>, game_id, std::optional<seat_index> as,
       std::optional<journal::member_id> far = {});

  // Requests the game from the lobby, or from the other hub. Called once, first.
  void begin();
  // Adds a reader that receives the updates after number `after`.
  std::unique_ptr<watch_handle> add(std::uint64_t after, std::shared_ptr<watcher>);
  // Removes all readers.
  void close();

  // Calls of the subscription.
  void on_waiting(std::shared_ptr<const game_metadata>);
  void follow(present_ref);
  void on_update(const std::vector<update_ref>&, present_ref);
  void end();
  void on_dropped();
  bool is_open() const { return open_.load(std::memory_order_relaxed); }
  game_id game() const { return id_; }
  std::optional<seat_index> as() const { return as_; }
  // Another hub has the game, or had it when the feed was made.
  bool is_far() const { return far_.has_value(); }

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
    bool late = false;              // is in late_
    present_ref present = nullptr;  // the latest one that it received

    bool can_read() const { return who && !paused; }
  };
  class handle;

  void fetch(purpose);
  void fetched(purpose, std::optional<game_replay>);
  void keep(std::vector<update_ref> history);
  void add_late(std::shared_ptr<reader>);
  // Serves this reader in the next iteration, together with others of this one.
  void serve_later(std::shared_ptr<reader>);
  // Removes the readers that have left, in the next iteration: thousands may leave in one.
  void tidy_later();
  // Serves some of the readers that wait, then the rest in the next iterations.
  void serve_late();
  void serve_rest();
  // Serves all readers: a few at once, many in the next iterations.
  void serve_all();
  void serve(std::vector<std::shared_ptr<reader>> whom);
  void greet(reader&);
  // Ends the reader. Returns who it was.
  std::shared_ptr<watcher> release(reader&);
  // Sends as many updates as one iteration may. Returns false if a reader needs updates that the
  // feed no longer has.
  bool send_updates(std::span<const std::shared_ptr<reader>>);
  // Sends the present state to the readers that have every update and not this state.
  void send_present(std::span<const std::shared_ptr<reader>>);
  // Returns the latest position, or null.
  position_ref latest_position() const;
  // Returns null if the feed does not have the update.
  const update_ref* at(std::uint64_t number) const;
  std::uint64_t last() const { return updates_.empty() ? 0 : updates_.back()->number; }
  void tidy();
  void set_deadline();
  void remove();

  std::shared_ptr<loop_spectator_service> host_;
  game_id id_;
  std::optional<seat_index> as_;
  std::optional<journal::member_id> far_;
  stage stage_ = stage::asking;
  std::shared_ptr<const game_metadata> metadata_;
  // Of a feed for one player there are as many as players with streams: an empty deque would take
  // 576 bytes.
  std::vector<update_ref> updates_;  // the latest updates, without gaps
  std::vector<update_ref> past_;  // all updates from the first one, while slow readers are served
  present_ref present_;           // null: not known now
  std::vector<std::shared_ptr<reader>> readers_;
  std::uint64_t fetches_ = 0;  // number of the latest replay
  bool fetching_past_ = false;
  bool subscription_ended_ = false;
  bool from_log_ = false;                      // the game had ended when the feed began
  std::vector<std::shared_ptr<reader>> late_;  // to be served in the next iterations, each once
  bool will_serve_ = false;
  bool late_for_history_ = false;  // some of them have many updates to read
  bool some_left_ = false;         // readers without a watcher are in readers_
  std::atomic<bool> open_{true};
  base::timers::token deadline_;
};

// Returns the subscription of a feed. Any thread.
std::shared_ptr<runtime::subscription> make_subscription(runtime::loop& where,
                                                         std::shared_ptr<feed>);

}  // namespace gamehub::actors::spectate
