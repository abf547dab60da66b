// All actors of one hub: the actor system, the lobby, a gateway per protocol, and the session
// acceptors by which listeners add their clients. hub/server runs it on loop_asio loops, tests and
// the simulation on loop_manual loops.
//
// Life cycle: construct it, add the loops, start(); accept clients; begin_drain(); end_games() when
// the drain time is over; when `drained` was called, stop_actors(), and destroy it while the loops
// still run.
#pragma once

#include "actors/relay/exchange.hpp"
#include "actors/runtime/forward.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/base/random.hpp"
#include "hub/core/absence_listener.hpp"
#include "hub/core/ban_list.hpp"
#include "hub/core/clock_policy.hpp"
#include "hub/core/fault_listener.hpp"
#include "hub/core/id_pool.hpp"
#include "hub/core/player_list.hpp"
#include "hub/core/ports.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/journal/journal.hpp"
#include "hub/journal/shared_log.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gamehub::actors::system {

// Times and limits. A time of zero means no limit.
struct runtime_settings {
  std::chrono::seconds turn_time{0};  // of games whose players choose no other clock
  std::chrono::seconds handshake_time{0};
  std::chrono::seconds idle_time{0};
  std::uint32_t connections_max = 0;
  std::uint32_t games_max = 0;
  std::chrono::seconds rejoin_time{0};  // after a restart
  const ban_list* rules = nullptr;      // outlives the runtime; null: no bans
  fault_listener* faults = nullptr;     // outlives the runtime; null: none
  // After which the win may be claimed from a player who is away; zero: never.
  std::chrono::seconds claim_time{0};
  // Of new games and players; they outlive the runtime. Null: those after the last of the journal.
  id_pool* game_ids = nullptr;
  id_pool* player_ids = nullptr;
  // For names and digests of secrets, which no two hubs have. Empty: there is no other hub.
  journal::key_changer change_keys = {};
  // To the other hubs of the cluster; it outlives the runtime. Null: there is no other hub.
  actors::relay::exchange* hubs = nullptr;
  // The clocks that players may choose. `standard` is the turn time, unless it is set.
  clock_policy clocks = {};
  absence_listener* absences = nullptr;  // outlives the runtime; null: none
  // A player who is away for this time and has games of days alone leaves memory, and such a game
  // whose players have and in which nothing is due for this time. Zero, a journal that has all logs
  // in memory, and other hubs without a log that they share: never.
  std::chrono::seconds sleep_after{0};
  // A game that is asleep was put into quarantine, because its log does not replay; its log can't
  // be read, now. On a loop's thread. Empty: nothing is told.
  std::function<void(game_id, const std::string& why)> on_quarantined = {};
  std::function<void(game_id)> on_unreadable = {};
};

// The results for the games that were open in the journal.
struct recovery_report {
  std::size_t restored = 0;
  std::size_t asleep = 0;       // stay where they are
  std::size_t mismatches = 0;   // the log and its engine differ
  std::size_t quarantined = 0;  // the mismatches, and the games whose replay crashed the hub
  std::vector<game_id> without_engine;  // their logs stay unchanged
};

// The open games of a member of the cluster that this hub has adopted. They are in its journal.
struct adopted_games {
  std::vector<journal::game_header> games;
  base::wall_time down_since{};  // the member lived until then at least
};

// A game that was being replayed when its hub ended, and what a replay of it in another process led
// to.
struct suspect {
  journal::game_header header;
  std::vector<journal::record> records;
};
struct trial_outcome {
  enum class way : std::uint8_t { not_tried, survived, died };
  way how = way::not_tried;
  std::string why;  // how the process ended
};
// Returns one outcome for each game. Blocks.
using replay_trials = std::function<std::vector<trial_outcome>(std::span<const suspect>)>;

// Receives the progress of a recovery and each game that was not restored.
class recovery_listener {
 public:
  virtual ~recovery_listener() = default;
  // `done` of `of` games are handled.
  virtual void on_progress(std::size_t done, std::size_t of) = 0;
  // The game was not restored.
  virtual void on_quarantined(game_id, const std::string& why) = 0;
};

class runtime {
 public:
  // The directory and the journal outlive the runtime. `make_entropy` is called once per loop; only
  // that loop uses the result.
  runtime(const table::engine_directory&, journal::journal&, const runtime_settings&,
          std::function<std::unique_ptr<base::random_source>()> make_entropy);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  // The actor system, for the constructors of loops.
  caf::actor_system& system();

  // Adds a loop for clients and games. Called before start(). The loop outlives the runtime.
  void add_loop(actors::runtime::loop&);

  // Sets the executor of engine searches. Called before start(). It outlives the runtime. Without
  // an executor, engine seats that need a search play random actions.
  void use_search_executor(actors::runtime::search_executor&);

  // Sets the function that returns true if players of other hubs may still arrive who were not here
  // at that time: requests with unknown secrets then wait for them. Any thread calls it. Called
  // before start().
  void expect_players(std::function<bool(base::instant)> may_arrive);

  // Sets the function that tries the replay of suspects before they are replayed here. One thread
  // at a time calls it. Called before recover(). Without it, or if a game can't be tried, a game is
  // put into quarantine when two hubs have ended during its replay.
  void use_trials(replay_trials);

  // Adds a loop for the games of the engine process with the next host::number(), from 0. This loop
  // may block on that process. Called before start() and after every add_loop(); the index of the
  // loop follows those of all other loops.
  void add_engine_loop(actors::runtime::loop&);

  // Any thread.
  const table::engine_directory& directory() const;

  // Spawns the lobby and the gateways on the first loop.
  void start();

  // Restores the games that are open in the journal; each waits for its players. Called after
  // start() and before the loops run.
  recovery_report recover(recovery_listener&);

  // Restores these games while the hub serves: each waits for its players. Blocks; called on a
  // separate thread while the loops run. Ends early, between two lots of games, if `goes_on`
  // returns false. Games without an engine are reported, and not touched. Requires: stop_actors()
  // is not called meanwhile.
  recovery_report take_over(const std::vector<adopted_games>&, recovery_listener&,
                            const std::function<bool()>& goes_on);

  // The games that take_over() restored are nowhere else any more: the names of players of that hub
  // who have no game are free. Any thread, until stop_actors().
  void takeover_ended();

  // Returns the acceptor for clients of this protocol on this loop. Any thread; the acceptor is
  // used on its loop.
  session_acceptor& acceptor_for(std::size_t wire, std::size_t loop_index);

  // Returns the spectator service of this loop, for all protocols. Threads as for acceptor_for().
  spectator_service& spectators_for(std::size_t loop_index);

  // The hub accepts no further clients and disconnects those that do not play. `drained` is called
  // on the first loop when the last session has ended. Other hubs live if the games are
  // handed over; of clients that go on there the hub stays the entry until end_games().
  void begin_drain(std::function<void()> drained, actors::runtime::hand_over = {});
  bool draining() const;

  // Another hub owns the games: all end here at once, and nothing more is sent of them. Called
  // before or after begin_drain(), which disconnects their players. `followed`: not those who can
  // go on at the other hub; this hub stays the entry of their clients until end_games().
  void release_games(bool followed = false);
  // The number of clients, those of other hubs included. Any thread.
  std::uint32_t clients() const;

  // Ends every running game, or every one of the engine with this host. With end_reason::drained,
  // because the time of the drain is over, no client stays.
  void end_games(end_reason, const engines::host::host* = nullptr,
                 std::function<void(std::size_t games)> counted = {});

  // Ends one game, with a note for its log. `found` is called on the first loop and states whether
  // the game is running. Any thread, until stop_actors().
  void end_game(game_id, std::string note, std::function<void(bool)> found);

  // Lists players, for operators. `answer` is called on the first loop. Any thread, until
  // stop_actors().
  void list_players(player_query, std::function<void(player_page)> answer);

  // Disconnects the players whose names are banned now. Any thread, until stop_actors().
  void bans_changed();

  // Ends the lobby and the gateways. Called after `drained`, when no acceptor is used any more.
  void stop_actors();

  // Blocks until every actor has ended. The loops run on other threads.
  void wait_until_gone();

 private:
  struct parts;

  void start_games();
  void start_lobby();
  void start_gateways();
  void start_wakers();

  std::unique_ptr<parts> parts_;
};

}  // namespace gamehub::actors::system
