// The lobby actor: one for the whole hub. It knows names and secrets, matches waiting players, and
// opens and monitors games. What it decides is in name_book and matchmaker; this is the shell.
// Spawned by the runtime on the first loop.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "actors/catalog.hpp"
#include "actors/game.hpp"
#include "actors/interfaces.hpp"
#include "actors/matchmaker.hpp"
#include "actors/name_book.hpp"
#include "actors/pinned.hpp"

namespace gamehub::actors {

struct lobby_setup {
  const catalog* offered = nullptr;
  std::vector<game_setup>* games = nullptr;  // by loop
  id_source<game_id>* game_ids = nullptr;
  journal::journal* log = nullptr;
  std::uint32_t games_max = 0;
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
  };

  // Who can be brought back, and who are just coming to it with its secret.
  struct known {
    session_actor session;
    std::vector<resume_request> coming_back;
  };

  void enter_player(enter&);
  void resume_player(resume_request&);
  void seek_game(seek_request&);
  void withdraw(withdraw_request&);
  void forget(player_id);
  void start_draining();
  void end_all(end_reason);
  void end(end_one&);
  void keep(game_actor, game_id);

  // The queues of a seek, or why there are none.
  std::variant<std::vector<queue_key>, seek_answer> queues_for(const seek_request&) const;
  void open_tables(std::vector<table_plan>&);
  void open_table(table_plan&);
  void turn_away(const table_plan&, const std::string& why);
  void watch_clock();
  void count_waiting();

  lobby_setup& setup_;
  name_book names_;
  matchmaker matches_;
  std::unordered_map<player_id, known> named_;
  std::unordered_map<player_id, player_id> comes_back_as_;  // who they are coming to
  std::unordered_map<player_id, seeker> seekers_;           // who has an offer
  struct running {
    game_id id;
    game_actor game;
  };
  std::unordered_map<caf::actor_id, running> running_;
  bool draining_ = false;
  timers::token clock_;
};

}  // namespace gamehub::actors
