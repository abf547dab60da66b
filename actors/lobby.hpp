// The lobby actor: one for the whole hub. It knows names and secrets, matches waiting players, and
// opens and monitors games. What it decides is in name_book and matchmaker; this is the shell.
// Spawned by the runtime on the first loop.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "actors/catalog.hpp"
#include "actors/game.hpp"
#include "actors/interfaces.hpp"
#include "actors/matchmaker.hpp"
#include "actors/name_book.hpp"
#include "actors/pinned.hpp"
#include "actors/running_games.hpp"
#include "actors/waiting_games.hpp"
#include "hub/core/moderation.hpp"

namespace gamehub::actors {

// Ends the sentence "it can't be played here: it …".
inline constexpr const char* being_started_anew = "is being started anew after a failure";

// The queue of those who have this invitation. A secret, but as its digest.
std::string party_of_invitation(const std::string& invitation);

struct lobby_setup {
  const catalog* offered = nullptr;
  std::vector<game_setup>* games = nullptr;          // by loop
  const std::vector<loop*>* engine_loops = nullptr;  // by the number of an engine's host
  id_source<game_id>* game_ids = nullptr;
  journal::journal* log = nullptr;
  std::uint32_t games_max = 0;
  const moderation* rules = nullptr;  // none: everybody may come
};

class lobby : public pinned<lobby_actor> {
 public:
  lobby(caf::actor_config&, lobby_setup&);

  const char* name() const override { return "lobby"; }
  void on_exit() override;

 protected:
  bool receive(caf::message&) override;
  void on_down(const caf::down_msg&) override;

 private:
  struct seeker {
    session_actor session;
    std::string name;
    std::string digest;
    std::uint16_t wire = 0;
    loop* home = nullptr;
    wall_time asked{};
    engines::level house = engines::level::perfect;
  };

  // Who can be brought back, and who are just coming to it with its secret.
  struct known {
    session_actor session;
    std::vector<resume_request> coming_back;
  };

  void enter_player(const enter&);
  void resume_player(resume_request&);
  bool bans(std::string_view name) const {
    return setup_.rules != nullptr && setup_.rules->bans(name);
  }
  void expel_banned();
  void seek_game(seek_request&);
  void place_seeker(seek_request&, std::vector<queue_key>, const std::string& invitation);
  // How large the board is that the player waits for.
  void show_board(const seek_request&, const queue_key& awaited, placed& in) const;
  void meet(meet_request&);
  std::variant<placed, refusal> meet_in(meet_request&, std::vector<table_plan>&);
  void withdraw(withdraw_request&);
  void forget(player_id);
  void start_draining();
  void end_all(const end_games&);
  void end(end_one&);
  void keep(game_actor, game_id, std::uint16_t engine);
  void find(find_game&);
  void list(const list_games&);

  void meet_new_engines();
  // Whether it went to the loop of an isolated engine first.
  bool ask_isolated(seek_request&);
  std::variant<engine_traits, std::string> traits_for(const seek_request&, std::uint16_t engine,
                                                      std::string_view options) const;
  // The queues of a seek, or why there are none.
  std::variant<std::vector<queue_key>, seek_answer> queues_for(const seek_request&) const;
  // Why this engine can't be played as it is asked for, if it can't.
  std::optional<std::string> unfit(const seek_request&, const engines::engine&,
                                   const engine_traits&) const;
  bool against_house(const seek_request&) const;
  // Of the house, should it play. Requires: unfit() has nothing against it.
  engines::level house_level(const seek_request&) const;
  engines::level house_skill(const table_plan&) const;
  // Makes of a seek by invitation, or for a rematch, one that leads to the right queue; or says why
  // there is none.
  std::optional<seek_answer> find_party(seek_request&, queue_key& party);
  std::optional<seek_answer> find_host(seek_request&, queue_key& party);
  std::optional<seek_answer> find_rematch(seek_request&, queue_key& party);
  // Their opponent has gone for good.
  void turn_away_rematches_of(player_id);
  // Gives each table its game, and the player the id of the one that it will play.
  game_id settle_games(const seek_request&, const queue_key&, const std::string& invitation,
                       placement&);
  game_id reserve(const seek_request&, const queue_key&, const std::string& invitation, seat_index);
  // An id that no other game of this hub or a later one has.
  game_id claim_game();
  // The player waits no more.
  void drop_seeker(player_id);
  void open_tables(std::vector<table_plan>&);
  void open_table(table_plan&);
  bool all_seek(const table_plan&) const;
  std::variant<engines::match, std::string> begin_match(const engines::engine&,
                                                        std::uint16_t number,
                                                        const std::string& options);
  loop& home_of(const engines::engine&, loop& opener) const;
  void turn_away(const table_plan&, refusal why, const std::string& detail);
  void watch_clock();
  void count_waiting();

  lobby_setup& setup_;
  name_book names_;
  matchmaker matches_;
  std::size_t engines_met_ = 0;
  std::unordered_map<player_id, known> named_;
  std::unordered_map<player_id, player_id> comes_back_as_;  // who they are coming to
  std::unordered_map<player_id, seeker> seekers_;           // who has an offer
  running_games running_;
  waiting_games waiting_;
  game_id claimed_;                            // up to which no later hub gives ids away
  std::unordered_multiset<player_id> asking_;  // whose requests are on the loops of engines
  bool draining_ = false;
  timers::token clock_;
};

}  // namespace gamehub::actors
