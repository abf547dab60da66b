// Where those who watch games meet the hub, as players do in ports.hpp: one gallery a loop. All
// calls, answers included, happen on the thread of its loop; nothing is answered within the call
// that asks. Only what the journal has committed is ever told.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hub/core/update.hpp"

namespace gamehub {

// A game that waits has an id and players, but no log yet.
enum class game_status : std::uint8_t { waiting, running, ended };

// How far a game is.
struct game_progress {
  std::shared_ptr<const game_metadata> game;
  game_status status = game_status::waiting;
  std::uint64_t last = 0;  // the number of its latest update
};

// Follows one game; it may let go of its handle in any of these calls, and hears nothing more then.
class watcher {
 public:
  virtual ~watcher() = default;

  // First of all, once.
  virtual void found(const game_progress&) = 0;
  // Each update after the number that was asked for, in order, each once.
  virtual void tell(const update_ref&) = 0;
  // That was the last one.
  virtual void ended() = 0;
  // There is nothing (more) to follow: no such game; or it waited, and whoever opened it has gone;
  // or the hub goes down, and the game rests.
  virtual void unknown() = 0;
};

// Destroying it ends the watching.
class watching {
 public:
  virtual ~watching() = default;

  // Nothing is told while it is paused, and nothing is lost: for readers that are slow.
  virtual void pause(bool) = 0;
};

// An action that a player could take now, in the engine's words and by its place on the board.
struct legal_action {
  std::string text;
  std::optional<std::int64_t> cell;
};

// A game as it stands, for those who do not play or for one seat.
struct game_snapshot {
  game_progress progress;
  public_position position;       // of a game that does not wait
  std::vector<wall_time> visits;  // when each seat was last heard of; empty once it has ended
  // For the seat that was asked for, while the game runs.
  std::string view;                   // what that seat sees: the engine's own JSON
  std::vector<legal_action> actions;  // empty if it is not to move; at most looked_actions_max
  // How long a turn may last, and what is left of this one; zero: no clock, or it stands still.
  std::chrono::milliseconds turn_time{0}, turn_left{0};
};
inline constexpr std::size_t looked_actions_max = 1'024;

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

// The newest first, closed ones left out. A page may be shorter than its limit.
struct game_page {
  std::vector<game_summary> games;
  game_id next;  // give it as `before` for the page that follows; zero: that was all
};

// A game from its beginning to its end.
struct game_replay {
  std::shared_ptr<const game_metadata> game;
  std::vector<update_ref> updates;
};

class spectator_service {
 public:
  virtual ~spectator_service() = default;

  // Never null; the watcher is shared until the handle is gone.
  virtual std::unique_ptr<watching> watch(game_id, std::uint64_t after,
                                          std::shared_ptr<watcher>) = 0;

  // Nothing: there is no such game.
  virtual void look(game_id, std::optional<seat_index> as,
                    std::function<void(std::optional<game_snapshot>)> answer) = 0;

  virtual void list(const list_query&, std::function<void(game_page)> answer) = 0;

  // Nothing: there is no such game, or it has not ended.
  virtual void replay(game_id, std::function<void(std::optional<game_replay>)> answer) = 0;
};

}  // namespace gamehub
