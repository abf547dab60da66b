// Brings back what the journal has open after the hub was away: a game actor for each log, and a
// session for each player that can come back. Used once, by the runtime, before the loops run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actors/catalog.hpp"
#include "actors/game.hpp"
#include "actors/interfaces.hpp"
#include "actors/replay.hpp"
#include "actors/runtime.hpp"
#include "hub/journal/journal.hpp"

namespace gamehub::actors {

class recovery {
 public:
  recovery(const catalog& directory, journal::journal& log, const std::vector<loop*>& loops,
           const std::vector<loop*>& engine_loops, std::vector<game_setup>& games,
           lobby_actor lobby)
      : directory_(directory),
        log_(log),
        loops_(loops),
        engine_loops_(engine_loops),
        games_(games),
        lobby_(std::move(lobby)),
        down_since_(log.last_written()) {}

  // Makes the session of a player who came by that wire, on that loop.
  std::function<session_actor(std::uint16_t wire, std::size_t loop, player_id, const std::string&)>
      make_restored_session;

  recovery_report run(recovery_listener&);

 private:
  using headers = std::vector<journal::game_header>;

  // Replays them as one lot: if the hub does not survive it, each is a suspect.
  void restore(std::span<const journal::game_header>);
  void restore(const journal::game_header&);
  // Leaves those that can't go on. Of engines in processes of their own each game is tried before
  // any goes on: one that takes its process down takes all matches there with it.
  void probe_isolated_games(headers&);
  void quarantine(const journal::game_header&, const std::string& why);
  loop& loop_of(game_id, const engines::engine&) const;
  void put_aside(game_id, const replay_fault&);
  void put_aside(game_id, const std::string& why);
  void restore_seats(game_id, const game_actor&, std::uint16_t engine, std::size_t where,
                    std::span<const journal::record>);

  const catalog& directory_;
  journal::journal& log_;
  const std::vector<loop*>& loops_;
  const std::vector<loop*>& engine_loops_;
  std::vector<game_setup>& games_;
  lobby_actor lobby_;
  wall_time down_since_;
  recovery_listener* listener_ = nullptr;
  recovery_report report_;
  std::unordered_map<player_id, session_actor> players_;
};

}  // namespace gamehub::actors
