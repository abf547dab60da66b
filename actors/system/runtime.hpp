// All actors of one hub: the actor system, the lobby, a gateway per wire, and the receptions by
// which gateways of sockets bring in their clients. hub/app makes one on loop_asio loops, tests and
// the simulation on loop_manual ones.
//
// Life: make it, add the loops, start(); use receptions; then begin_drain(), end_games() when time
// is up, and once drained() was called, destroy it while the loops still run.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actors/catalog.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/gallery.hpp"
#include "hub/core/moderation.hpp"
#include "hub/core/ports.hpp"
#include "hub/journal/journal.hpp"

namespace caf {
class actor_system;
}

namespace gamehub::actors {

class loop;
class searches;

struct runtime_settings {
  std::chrono::seconds turn_time{0};
  std::chrono::seconds handshake_time{0};
  std::chrono::seconds idle_time{0};
  std::uint32_t connections_max = 0;
  std::uint32_t games_max = 0;
  std::chrono::seconds rejoin_time{0};  // after a restart
  const ban_list* rules = nullptr;    // outlives the runtime; none: nobody is kept out
};

// What became of the games that were open in the journal.
struct recovery_report {
  std::size_t restored = 0;
  std::size_t mismatches = 0;      // the log and its engine disagree
  std::size_t quarantined = 0;     // those, and what took the hub down
  std::size_t engine_missing = 0;  // kept as they are
};

// Hears how far a recovery is, and of each game that did not come back.
class recovery_listener {
 public:
  virtual ~recovery_listener() = default;
  virtual void progress(std::size_t done, std::size_t of) = 0;
  virtual void left_out(game_id, const std::string& why) = 0;
};

class runtime {
 public:
  // The catalog and the journal outlive the runtime. `make_entropy` is called once per loop, for
  // what only that loop will use.
  runtime(const catalog&, journal::journal&, const runtime_settings&,
          std::function<std::unique_ptr<random_source>()> make_entropy);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  caf::actor_system& system();

  // Requires: not started. The loop outlives the runtime.
  void add_loop(loop&);

  // Requires: not started. The thinker outlives the runtime; without one the house plays at random
  // what it can't play at once.
  void use_search_executor(searches&);

  // A loop for the games of engines whose host has the next number, counted from 0, and for nothing
  // else: it may wait for them. Its index comes after those of all other loops.
  // Requires: as add_loop, and all other loops were added.
  void add_engine_loop(loop&);

  // Spawns the lobby and the gateways on the first loop.
  void start();

  // Brings back the games that are open in the journal: each waits for its players as they were
  // seated. Requires: started, and the loops do not run yet.
  recovery_report recover(recovery_listener&);

  // Where the clients of this wire come in who live on this loop. Any thread may ask; the reception
  // is used on its loop.
  session_acceptor& acceptor_for(std::size_t wire, std::size_t loop_index);

  // Where those watch games who live on this loop, one for all wires. As with door_to().
  spectator_service& spectators_for(std::size_t loop_index);

  // The hub takes nobody any more; who neither plays nor can play is told to go. `drained` is
  // called on the first loop when no session is left.
  void begin_drain(std::function<void()> drained);
  bool draining() const;

  // Ends every game that still runs, or every one of the engine that has this host.
  void end_games(end_reason, const engines::host* = nullptr);

  // Ends one game, with a note for its log. `found` is told, on the first loop, whether there is
  // such a game. Any thread may ask, until stop_actors().
  void end_game(game_id, std::string note, std::function<void(bool)> found);

  // Whoever's name is banned now has to go. Any thread may ask, as with end_game().
  void bans_changed();

  // The lobby and the gateways go. Requires: drained, and receptions are not used any more.
  void stop_actors();

  // Blocks until no actor is left. Requires: the loops run, on other threads.
  void wait_until_gone();

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace gamehub::actors
