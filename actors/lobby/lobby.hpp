// The lobby actor: one per hub. It knows names and secrets, pairs waiting players, and spawns and
// monitors games. The decisions are in player_registry, matchmaker and party_queues; this class
// receives the messages and carries the decisions out. The runtime spawns it on the first loop.
#pragma once

#include "actors/game/game.hpp"
#include "actors/lobby/game_directory.hpp"
#include "actors/lobby/matchmaker.hpp"
#include "actors/lobby/party_queues.hpp"
#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/session/player_registry.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/core/ban_list.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace gamehub::actors::lobby {

// Completes the sentence "it can't be played here: it …".
inline constexpr const char* engine_restarting = "is restarting after a failure";

// Data of the lobby. It outlives the lobby.
struct lobby_setup {
  const table::engine_directory* directory = nullptr;
  std::vector<game::game_setup>* games = nullptr;             // by index of the loop
  const std::vector<runtime::loop*>* engine_loops = nullptr;  // by host::number() of the engine
  id_source<game_id>* game_ids = nullptr;
  journal::journal* log = nullptr;
  std::uint32_t games_max = 0;
  const ban_list* rules = nullptr;  // null: no bans
};

class lobby : public runtime::typed_loop_actor<runtime::lobby_actor> {
 public:
  lobby(caf::actor_config&, lobby_setup&);

  const char* name() const override { return "lobby"; }
  void on_exit() override;

 protected:
  bool receive(caf::message&) override;
  void on_down(const caf::down_msg&) override;

 private:
  // A seek that is not used up.
  struct seek_entry {
    runtime::session_actor session;
    std::string name;
    std::string digest;
    std::uint16_t wire = 0;
    runtime::loop* home = nullptr;
    base::wall_time asked{};
    engines::level level = engines::level::perfect;
  };

  // A player with a name, and the requests that are resuming it.
  struct player_entry {
    runtime::session_actor session;
    std::vector<runtime::resume_request> resume_requests;
  };

  void on_register(const runtime::register_player&);
  void on_resume(runtime::resume_request&);
  bool bans(std::string_view name) const {
    return setup_.rules != nullptr && setup_.rules->bans(name);
  }
  void expel_banned();
  void on_seek(runtime::seek_request&);
  void place_seek(runtime::seek_request&, std::vector<queue_key>, const std::string& invitation);
  // Adds the size of the board to the reply.
  void add_board_size(const runtime::seek_request&, const queue_key& awaited, placed& in) const;
  void on_challenge(runtime::challenge_request&);
  std::variant<placed, refusal> challenge_in_queue(runtime::challenge_request&,
                                                   std::vector<pairing>&);
  void withdraw(runtime::withdraw_request&);
  void remove(player_id);
  void on_drain();
  void on_end_games(const runtime::end_games&);
  void end(runtime::end_game&);
  void track_game(runtime::game_actor, game_id, std::uint16_t engine, bool closed);
  void find(runtime::find_game&);
  void list(const runtime::list_games&);

  void load_new_engines();
  // Returns true if the request was moved to the loop of an engine process, which sends it back.
  bool query_isolated_engine(runtime::seek_request&);
  std::variant<engine_traits, std::string> traits_for(const runtime::seek_request&,
                                                      std::uint16_t engine,
                                                      std::string_view options) const;
  // Returns the queues of a seek, or the refusal.
  std::variant<std::vector<queue_key>, runtime::seek_result> queues_for(
      const runtime::seek_request&) const;
  // Returns why this engine does not support the seek, or nothing.
  std::optional<std::string> engine_unsupported_reason(const runtime::seek_request&,
                                                       const engines::host::engine&,
                                                       const engine_traits&) const;
  bool plays_against_engine(const runtime::seek_request&) const;
  // Returns the level of the engine opponent. engine_unsupported_reason() is empty for the seek.
  engines::level engine_level(const runtime::seek_request&) const;
  engines::level pairing_level(const pairing&) const;
  // Refuses the rematch seeks that wait for this player, who has left.
  void refuse_rematches_of(player_id);
  // Assigns an id to each pairing. Returns the id of the player's game if its client requires it
  // now.
  game_id assign_games(const runtime::seek_request&, const queue_key&,
                       const std::string& invitation, placement&);
  game_id reserve(const runtime::seek_request&, const queue_key&, const std::string& invitation,
                  seat_index);
  // Returns an id that is unique across restarts, although no record of the game exists yet.
  game_id claim_game();
  // Removes the seek and the waiting game of the player.
  void remove_seek(player_id);
  void open_tables(std::vector<pairing>&);
  void open_table(pairing&);
  bool all_have_seeks(const pairing&) const;
  // Creates the match of a pairing, or refuses all its players and returns nothing.
  std::optional<engines::host::match> create_match(const engines::host::engine&,
                                                   std::uint16_t number, const pairing&);
  runtime::loop& loop_for(const engines::host::engine&, runtime::loop& opener) const;
  void refuse_all(const pairing&, refusal why, const std::string& detail);
  // Pairs the players whose time has come, or who waited for room.
  void pair_waiting();
  void update_room();
  void arm_pairing_timer();
  void count_waiting();

  lobby_setup& setup_;
  session::player_registry names_;
  matchmaker matches_;
  std::size_t engines_known_ = 0;
  std::unordered_map<player_id, player_entry> players_;
  std::unordered_map<player_id, player_id> resuming_as_;  // requesting player to resumed player
  std::unordered_map<player_id, seek_entry> seeks_;       // players with a seek
  running_games running_;
  waiting_games waiting_;
  party_queues parties_;
  game_id claimed_until_;  // the journal has reserved the ids up to this one
  std::unordered_multiset<player_id>
      pending_trait_queries_;  // players with a request on an engine loop
  bool draining_ = false;
  base::timers::token pairing_timer_;
  base::instant pairing_timer_at_{};
};

}  // namespace gamehub::actors::lobby
