// The game actor: a table with a mailbox, a clock and a commit gate. The table decides; the actor
// logs what it decided, waits for the commit, and tells it. Spawned by the lobby.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "actors/catalog.hpp"
#include "actors/commit_gate.hpp"
#include "actors/interfaces.hpp"
#include "actors/pinned.hpp"
#include "actors/table.hpp"
#include "hub/journal/journal.hpp"

namespace gamehub::actors {

// What all games of one loop share. Outlives them.
struct game_setup {
  const catalog* offered = nullptr;
  journal::journal* log = nullptr;
  entropy* luck = nullptr;
  std::chrono::seconds turn_time{0};  // zero: no clock
  decision scratch;                   // of the game that is running just now
};

// One player of a game that is being opened.
struct game_player {
  session_actor session;
  table_seat seat;
};

class game : public pinned<game_actor> {
 public:
  // Requires: at least one player, and a match of the engine with as many seats.
  game(caf::actor_config&, game_setup&, game_id, std::uint16_t engine, std::string options,
       engines::match, std::vector<game_player>);

  const char* name() const override { return "game"; }
  void on_exit() override;

 protected:
  behavior_type make_behavior() override;

 private:
  void begin();
  void after_begin(std::function<void()>);
  void play(play_request&);
  void leave(const leave_request&);
  void show(const show_request&);
  void end(end_reason);
  void clock_rang();
  void released(journal::record_number);

  // Lets the table decide, for the seat that asks (if one does), and carries that out. A fault of
  // the engine ends the game.
  template <class Decide>
  void decide(seat_index asking, const receipt&, Decide);

  // Logs, then tells or holds, what the table decided in setup_.scratch.
  void carry_out();
  void append(std::vector<journal::record>&);
  void tell_players(std::vector<decision::notice>&);
  void watch_clock();
  void arm_clock();
  void count_end();
  void quit_if_done();
  metrics::engine_cells& cells() { return home().cells().engines[engine_]; }

  game_setup& setup_;
  table table_;
  commit_gate gate_;
  std::vector<session_actor> players_;
  std::string options_;
  std::uint16_t engine_;
  // What overtook begin_game: a session may act on its seat before the game has heard of its own.
  std::unique_ptr<std::vector<std::function<void()>>> early_;
  bool begun_ = false;
  bool finished_ = false;  // everything was said
  bool awaits_commits_ = false;
  bool counted_end_ = false;
  seat_set asks_no_more_ = 0;
  timers::token clock_;
  std::uint64_t clocked_turn_ = 0;
  instant deadline_{};
};

}  // namespace gamehub::actors
