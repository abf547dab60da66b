// Restores the open games of the journal after a restart: a game actor for each log, and a session
// for each player that can reconnect. The runtime uses it once, before the loops run.
#pragma once

#include "actors/game/game.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/system/runtime.hpp"
#include "actors/table/engine_directory.hpp"
#include "actors/table/replay.hpp"
#include "hub/journal/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::system {

class recovery {
 public:
  recovery(const table::engine_directory& directory, journal::journal& log,
           const std::vector<actors::runtime::loop*>& loops,
           const std::vector<actors::runtime::loop*>& engine_loops,
           std::vector<game::game_setup>& games, actors::runtime::lobby_actor lobby)
      : directory_(directory),
        log_(log),
        loops_(loops),
        engine_loops_(engine_loops),
        games_(games),
        lobby_(std::move(lobby)),
        down_since_(log.last_written()) {}

  // Spawns the session of a restored player of that protocol on that loop.
  std::function<actors::runtime::session_actor(std::uint16_t wire, std::size_t loop, player_id,
                                               const std::string&)>
      make_restored_session;

  // Restores all games and reports the progress.
  recovery_report run(recovery_listener&);

 private:
  using headers = std::vector<journal::game_header>;

  // Replays a batch. If the hub crashes during the replay, every game of the batch is a suspect.
  void restore(std::span<const journal::game_header>);
  void restore(const journal::game_header&);
  // Removes the games that cannot continue. Every game of an engine process is replayed before any
  // is restored, because a game that crashes the process ends all its matches.
  void probe_isolated_games(headers&);
  void quarantine(const journal::game_header&, const std::string& why);
  actors::runtime::loop& loop_of(game_id, const engines::host::engine&) const;
  void report_quarantined(const journal::game_header&, const table::replay_fault&);
  void report_quarantined(game_id, const std::string& why);
  void restore_seats(game_id, const actors::runtime::game_actor&, std::uint16_t engine,
                     std::size_t where, std::span<const journal::record>);

  const table::engine_directory& directory_;
  journal::journal& log_;
  const std::vector<actors::runtime::loop*>& loops_;
  const std::vector<actors::runtime::loop*>& engine_loops_;
  std::vector<game::game_setup>& games_;
  actors::runtime::lobby_actor lobby_;
  base::wall_time down_since_;
  recovery_listener* listener_ = nullptr;
  recovery_report report_;
  std::unordered_map<player_id, actors::runtime::session_actor> sessions_;
};

}  // namespace gamehub::actors::system
