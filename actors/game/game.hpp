// The game actor: a table with a mailbox, a clock and a commit gate. The table decides; the actor
// logs what it decided, waits for the commit, and tells it. Spawned by the lobby.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "actors/audience.hpp"
#include "actors/catalog.hpp"
#include "actors/commit_gate.hpp"
#include "actors/interfaces.hpp"
#include "actors/pinned.hpp"
#include "actors/table.hpp"
#include "actors/thinking.hpp"
#include "hub/journal/journal.hpp"

namespace gamehub::actors {

// What all games of one loop share. Outlives them.
struct game_setup {
  const catalog* directory = nullptr;
  journal::journal* log = nullptr;
  random_source* luck = nullptr;
  std::chrono::seconds turn_time{0};    // zero: no clock
  std::chrono::seconds rejoin_time{0};  // after a restart
  transition scratch;                     // of the game that is running just now
  thinker* searcher = nullptr;          // null: the house does not think, it plays at random
};

// One player of a game that is being opened.
struct game_player {
  session_actor session;  // null: the house
  table_seat seat;
  arrival came{};
};

// A game as the journal has it.
struct logged_game {
  engines::match match;  // replayed
  std::vector<table_seat> seats;
  std::vector<journal::record> records;
  // How long the turn had lasted when the hub went away.
  std::chrono::milliseconds turn_lasted{0};
};

class game : public typed_loop_actor<game_actor> {
 public:
  // Requires: at least one player, and a match of the engine with as many seats.
  game(caf::actor_config&, game_setup&, game_id, std::uint16_t engine, std::string options,
       engines::match, std::vector<game_player>, bool closed = false);
  // Goes on with a game of the journal's. Its players have yet to come back: each seat that can be
  // come back to gets a reserve_seat after begin_game.
  game(caf::actor_config&, game_setup&, game_id, std::uint16_t engine, logged_game);

  const char* name() const override { return "game"; }
  void on_exit() override;
  void prefetch() const override;

 protected:
  bool receive(caf::message&) override;

 private:
  void begin();
  void defer(std::function<void()>);
  void play(play_request&);
  void say(chat_request&);
  void leave(const leave_request&);
  void show(const show_request&);
  void end(end_request&);
  void meet(watch_request&);
  void admit(std::shared_ptr<line>);
  void look(look_request&);
  void answer(snapshot_query&);
  void come_back(seat_index);
  void rest();
  void notify_suspended();
  void on_timeout(const timer_up&);
  void clock_rang();
  void released(journal::record_number);
  void hear(const search_result&);

  // Has the house think of what it can't play at once; where nobody has time for that, it plays
  // anything.
  void consult();
  bool to_ask() const {
    return (table_.seats_awaiting_search() & ~(table_.turn() == searched_turn_ ? asked_ : 0)) != 0;
  }

  // Lets the table decide, for the seat that asks (if one does), and carries that out. A fault of
  // the engine ends the game.
  template <class Decide>
  void decide(seat_index asking, const receipt&, Decide);

  // Logs, then tells or holds, what the table decided in setup_.scratch.
  void carry_out();
  void append(std::vector<journal::record>&);
  void send_to_players(std::vector<transition::outbound_event>&);
  // The turn has lasted for so long already.
  void watch_clock(std::chrono::milliseconds lasted = {});
  void arm_clock();
  void count_end();
  void count_engine_move(metrics::effort how) {
    cells().house_moves[static_cast<std::size_t>(how)].add();
  }
  void quit_if_done();
  // Of those who watch. Requires: there are some.
  void tell_audience();
  audience& audience_here();
  std::shared_ptr<const game_metadata> card() const;
  seat_set everyone() const { return only(static_cast<seat_index>(table_.seats().size())) - 1; }
  metrics::engine_cells& cells() {
    return home().cells().engines[setup_.directory->engines[engine_].kind];
  }

  game_setup& setup_;
  table table_;
  commit_gate gate_;
  std::vector<session_actor> players_;
  std::uint16_t engine_;
  // Until the game has begun: what goes into its log only.
  struct opening {
    std::string options;
    std::vector<arrival> arrivals;
    bool closed = false;
  };
  std::unique_ptr<opening> opening_;
  // After a restart, until all players are back: meanwhile no clock runs.
  struct interruption {
    seat_set away = 0;
    std::uint64_t turn = 0;
    std::chrono::milliseconds turn_lasted{0};
    timers::token deadline;
  };
  std::unique_ptr<interruption> interruption_;
  // What overtook begin_game: a session may act on its seat before the game has heard of its own.
  std::unique_ptr<std::vector<std::function<void()>>> deferred_;
  // Of a game that was ever watched.
  std::unique_ptr<audience> spectators_;
  bool begun_ = false;
  bool finished_ = false;  // everything was said
  bool awaits_commits_ = false;
  bool suspended_ = false;
  bool counted_end_ = false;
  seat_set finished_seats_ = 0;
  // Which seats of the house were asked for a move, at which turn.
  std::uint64_t searched_turn_ = 0;
  seat_set asked_ = 0;
  timers::token clock_;
  std::uint64_t timed_turn_ = 0;
  instant deadline_{};
};

}  // namespace gamehub::actors
