// Restores open games of the journal: a game actor for each log; the lobby makes a session for each
// player that can reconnect. run() restores all of them after a restart, before the loops run;
// take_over() those of a member of the cluster that this hub has adopted, on the loops that own the
// games, while they serve. Used by one thread.
#pragma once

#include "actors/game/game.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/system/restore.hpp"
#include "actors/system/runtime.hpp"
#include "actors/table/engine_directory.hpp"
#include "actors/table/replay.hpp"
#include "hub/journal/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gamehub::actors::system {

class recovery {
 public:
  recovery(const table::engine_directory& directory, journal::journal& log,
           const std::vector<actors::runtime::loop*>& loops,
           const std::vector<actors::runtime::loop*>& engine_loops,
           std::vector<game::game_setup>& games, actors::runtime::lobby_actor lobby,
           const replay_trials& trials)
      : directory_(directory),
        places_{directory, loops, engine_loops, games},
        log_(log),
        loops_(loops),
        games_(games),
        lobby_(std::move(lobby)),
        trials_(trials) {}

  // Restores all games and reports the progress.
  recovery_report run(recovery_listener&);

  // Restores these games, whose hub lived until `down_since` at least, and waits for the loops.
  // Ends early, between two lots, if `goes_on` returns false. Requires: the loops run on other
  // threads.
  recovery_report take_over(const std::vector<journal::game_header>&, base::wall_time down_since,
                            recovery_listener&, const std::function<bool()>& goes_on);

 private:
  using headers = std::vector<journal::game_header>;
  // Why a game was not restored.
  struct restore_fault {
    bool engine_missing = false;
    table::replay_fault what;
  };
  struct running_lot;

  // Takes the suspects out of `all`.
  headers take_suspects(headers& all) const;
  // Removes the suspects that must not be replayed here. Returns those of the rest whose replay in
  // another process succeeded.
  headers try_suspects(headers& suspects);
  std::vector<trial_outcome> try_lot(std::span<const journal::game_header>) const;
  void report_suspect(game_id, const std::string& why);
  // Restores all games in lots. Suspects are tried in another process meanwhile, if possible; the
  // others of them are restored one by one, so that a crash identifies the game.
  void restore_all(headers suspects, const headers& others);
  void restore_lots(const headers&, std::size_t at_once);
  // Replays a lot. If the hub crashes during the replay, every game of it is a suspect.
  void restore(std::span<const journal::game_header>);
  void restore_here(std::span<const journal::game_header>);
  void restore_on_loops(std::span<const journal::game_header>);
  static void restore_next(const std::shared_ptr<running_lot>&, std::size_t of_loop,
                           std::size_t from);
  std::optional<restore_fault> restore(const journal::game_header&);
  void report(const journal::game_header&, const restore_fault&);
  bool wait_for_journal() const;
  // Removes the games that cannot continue. Every game of an engine process is replayed before any
  // is restored, because a game that crashes the process ends all its matches.
  void probe_isolated_games(headers&);
  void quarantine(const journal::game_header&, const std::string& why);
  actors::runtime::loop& loop_of(const journal::game_header&) const;
  void report_mismatch(const journal::game_header&, const table::replay_fault&);
  void report_quarantined(game_id, const std::string& why);

  const table::engine_directory& directory_;
  const game_places places_;
  journal::journal& log_;
  const std::vector<actors::runtime::loop*>& loops_;
  std::vector<game::game_setup>& games_;
  actors::runtime::lobby_actor lobby_;
  const replay_trials& trials_;
  std::size_t done_ = 0, of_ = 0;
  base::wall_time down_since_{};
  const std::function<bool()>* goes_on_ = nullptr;  // null: at a start
  recovery_listener* listener_ = nullptr;
  recovery_report report_;
};

}  // namespace gamehub::actors::system
