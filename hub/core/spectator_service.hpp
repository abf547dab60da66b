// The interface between gateways and actors for spectators (ports.hpp is the one for players). One
// service per loop. All calls and callbacks happen on the thread of that loop; no callback happens
// within the call that requests it. Spectators see committed records only.
#pragma once

#include "hub/core/game_clock.hpp"
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

// A legal action: the engine's text for it, and its cell on the board.
struct legal_action {
  std::string text;
  std::optional<std::int64_t> cell;

  friend bool operator==(const legal_action&, const legal_action&) = default;
};

// A player without a client whose seat is kept until then; base::instant::max(): without a limit.
struct absence {
  seat_index seat = 0;
  base::instant kept_until{};
  // From then on another player can claim the win; base::instant::max(): never.
  base::instant claimable_at = base::instant::max();

  friend bool operator==(const absence&, const absence&) = default;
};

// The state of a running game that no record has, because it holds for the moment only. Immutable
// and shared by all loops, like updates.
struct game_present {
  std::uint64_t number = 0;   // of the latest record when it was read
  game_clock clock;           // as it stands if no further record follows
  std::vector<absence> away;  // by seat
  // The legal actions of the reader's seat, at most snapshot_actions_max; null: it is not to move,
  // or the reader has no seat.
  std::shared_ptr<const std::vector<legal_action>> actions;
};
using present_ref = std::shared_ptr<const game_present>;

// Follows one game. It may destroy its handle in any of these calls; after that it gets no calls.
class watcher {
 public:
  virtual ~watcher() = default;

  // The first call, once.
  virtual void on_found(const game_progress&) = 0;
  // A waiting game of three seats or more has other players.
  virtual void on_players(const std::shared_ptr<const game_metadata>&) {}
  // Each update after the requested number, in order, once.
  virtual void on_update(const update_ref&) = 0;
  // In place of on_update: the update is the latest one of a running game, which stands so.
  virtual void on_latest_update(const update_ref& latest, const present_ref&) { on_update(latest); }
  // A reader that has every update of a running game: its present state, once at the beginning and
  // after each change, and the latest position. Changes that a paused reader missed come as one.
  virtual void on_present(const present_ref&, const position_ref&) {}
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

// The present state of a game, for spectators or for one seat.
struct game_snapshot {
  game_progress progress;
  // In both forms, as the seat sees it. Of a waiting game: its start position, for spectators.
  gamehub::position position;
  std::vector<base::wall_time> visits;  // the last activity of each seat; empty after the end
  // For the requested seat: empty if it is not to move; at most snapshot_actions_max.
  std::vector<legal_action> actions;
  game_clock clock;           // empty after the end
  std::vector<absence> away;  // by seat
  // Of a running game: each offer that stands, followed by the answers of those who accepted it.
  std::vector<offer_update> offers;
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
  std::string player = {};  // only games in which this name has a seat; empty: all
  bool open = false;        // none that have ended
};
inline constexpr std::size_t list_limit_max = 100;

struct game_summary {
  game_progress progress;
  std::optional<gamehub::outcome> outcome;  // of an ended one, without scores
  game_clock clock = {};                    // of a running one
};

// Games, the newest first, without closed ones. A page may be shorter than its limit.
struct game_page {
  std::vector<game_summary> games;
  game_id next;               // `before` of the next page; zero: this is the last page
  std::size_t logs_read = 0;  // what the page cost
};

// The replayed log of a game: its updates, and the latest position in both forms, for spectators or
// for one seat.
struct game_replay {
  std::shared_ptr<const game_metadata> game;
  std::vector<update_ref> updates;
  bool ended = false;
  gamehub::position position;
  // Its place among the replays that are in memory at once: who makes an answer from it keeps the
  // place until the answer is sent, because others wait for one. May be null.
  std::shared_ptr<const void> place = nullptr;
};

// What a private game's invitation leads to.
struct invitation_state {
  game_status status = game_status::waiting;  // running: the invitation was used
  std::shared_ptr<const game_metadata> game;
  seat_index host = 0;                  // the seat of the player who invites
  std::uint16_t rows = 0, columns = 0;  // of the board; 0: no board
};

class spectator_service {
 public:
  virtual ~spectator_service() = default;

  // True while more logs are to be read than may wait. Requests that need one then wait longer, so
  // what a client can ask again for should be refused.
  virtual bool busy() const { return false; }

  // Subscribes to the updates after a number, for spectators or `as` one seat; the caller has
  // checked that the reader plays it. Never null. The service shares the watcher until the handle
  // is destroyed.
  virtual std::unique_ptr<watch_handle> watch(game_id, std::uint64_t after,
                                              std::optional<seat_index> as,
                                              std::shared_ptr<watcher>) = 0;

  // The same for spectators of a game that this other hub of the cluster has. If that hub ends, the
  // game is followed where it goes on. Requires: gamehub::relay::web_port::can_watch().
  virtual std::unique_ptr<watch_handle> watch_elsewhere(std::uint64_t hub, game_id,
                                                        std::uint64_t after,
                                                        std::shared_ptr<watcher>) = 0;

  // Requests the present state, for spectators or `as` one seat. The answer is nothing if there is
  // no such game.
  virtual void query_snapshot(game_id, std::optional<seat_index> as,
                              std::function<void(std::optional<game_snapshot>)> answer) = 0;

  // Requests the clock of a running game. The answer is an empty clock if it has none, or does not
  // run.
  virtual void query_clock(game_id, std::function<void(game_clock)> answer) = 0;

  // Requests one page of the list of games.
  virtual void list(const list_query&, std::function<void(game_page)> answer) = 0;

  // Requests what an invitation leads to, and does not use it. The answer is nothing if there is no
  // such invitation, or its game was withdrawn.
  virtual void query_invitation(const std::string& invitation,
                                std::function<void(std::optional<invitation_state>)> answer) = 0;

  // Requests all updates of an ended game, for spectators or `as` one seat. The answer is nothing
  // if there is no such game, or if it has not ended.
  virtual void replay(game_id, std::optional<seat_index> as,
                      std::function<void(std::optional<game_replay>)> answer) = 0;
};

}  // namespace gamehub
