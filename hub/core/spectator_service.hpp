// The interface between gateways and actors for spectators (ports.hpp is the one for players). One
// service per loop. All calls and callbacks happen on the thread of that loop; no callback happens
// within the call that requests it. Spectators see committed records only.
#pragma once

#include "hub/core/game_update.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gamehub {

// A waiting game has an id and players, but no log yet.
enum class game_status : std::uint8_t { waiting, running, ended };

// The progress of a game.
struct game_progress {
  std::shared_ptr<const game_metadata> game;
  game_status status = game_status::waiting;
  std::uint64_t last = 0;  // the number of its latest update
};

// Follows one game. It may destroy its handle in any of these calls; after that it gets no calls.
class watcher {
 public:
  virtual ~watcher() = default;

  // The first call, once.
  virtual void on_found(const game_progress&) = 0;
  // Each update after the requested number, in order, once.
  virtual void on_update(const update_ref&) = 0;
  // The last update was delivered.
  virtual void on_end() = 0;
  // The game can't be followed: it does not exist, it was waiting and its owner left, or the hub is
  // stopping and the game is suspended.
  virtual void on_unavailable() = 0;
};

// One subscription. Destroying it ends the subscription.
class watch_handle {
 public:
  virtual ~watch_handle() = default;

  // Stops and resumes deliveries for slow readers. No update is lost.
  virtual void pause(bool) = 0;
};

// A legal action: the engine's text for it, and its cell on the board.
struct legal_action {
  std::string text;
  std::optional<std::int64_t> cell;
};

// The present state of a game, for spectators or for one seat.
struct game_snapshot {
  game_progress progress;
  gamehub::position position;           // of a game that is not waiting, in both forms
  std::vector<base::wall_time> visits;  // the last activity of each seat; empty after the end
  // For the requested seat, while the game runs.
  std::string view;                   // the view of that seat: the engine's JSON
  std::vector<legal_action> actions;  // empty if it is not to move; at most snapshot_actions_max
  // Time for a turn, and the rest of the present one. Zero: no clock, or the clock is stopped.
  std::chrono::milliseconds turn_time{0}, turn_left{0};
};
// Bounds the size of one HTTP answer.
inline constexpr std::size_t snapshot_actions_max = 1'024;

struct list_query {
  std::string engine;                 // empty: all
  std::optional<game_status> status;  // none: all
  game_id before;                     // smaller ids only; zero: from the newest
  std::size_t limit = 50;
};
inline constexpr std::size_t list_limit_max = 100;

struct game_summary {
  game_progress progress;
  std::optional<gamehub::outcome> outcome;  // of an ended one, without scores
};

// Games, the newest first, without closed ones. A page may be shorter than its limit.
struct game_page {
  std::vector<game_summary> games;
  game_id next;  // `before` of the next page; zero: this is the last page
};

// The replayed log of a game: its updates, and the latest position in both forms.
struct game_replay {
  std::shared_ptr<const game_metadata> game;
  std::vector<update_ref> updates;
  bool ended = false;
  gamehub::position position;
};

class spectator_service {
 public:
  virtual ~spectator_service() = default;

  // Subscribes to the updates after a number. Never null. The service shares the watcher until the
  // handle is destroyed.
  virtual std::unique_ptr<watch_handle> watch(game_id, std::uint64_t after,
                                              std::shared_ptr<watcher>) = 0;

  // Requests the present state, for spectators or `as` one seat. The answer is nothing if there is
  // no such game.
  virtual void query_snapshot(game_id, std::optional<seat_index> as,
                              std::function<void(std::optional<game_snapshot>)> answer) = 0;

  // Requests one page of the list of games.
  virtual void list(const list_query&, std::function<void(game_page)> answer) = 0;

  // Requests all updates of an ended game. The answer is nothing if there is no such game, or if it
  // has not ended.
  virtual void replay(game_id, std::function<void(std::optional<game_replay>)> answer) = 0;
};

}  // namespace gamehub
