// The load of stream protocols: many concurrent games between two players of this load, over
// sockets; one thread, one epoll. It checks all messages of the hub against the rules. The hub
// pairs the players: the load finds the pairs by opening games differently, and times the moves of
// games whose two players it has found, from sending the move until the opponent reads it.
//
// Owned by the bench, used on its thread.
#pragma once

#include "tools/bench/any_load.hpp"
#include "tools/bench/bench_seat.hpp"
#include "tools/bench/board.hpp"
#include "tools/bench/connector.hpp"
#include "tools/bench/wire.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tools::bench {

struct load_plan {
  int games = 64;
  int connections = 128;  // at least 2; the seats are distributed evenly
  bool fresh = false;     // new connections for each game
  bool idle = false;      // no moves
  int rate = 0;           // moves per second of all games; 0: no limit
  // Before each move a player thinks for a random time up to this.
  std::chrono::milliseconds think{0};
  bool redial = false;  // connect again after a refusal or a lost connection
  // Open one connection after the other, each at the next port, and all before the first move.
  bool across = false;
};

class load final : public any_load {
 public:
  load(const wire&, connector&, const load_plan&);
  ~load() override;
  load(const load&) = delete;
  load& operator=(const load&) = delete;

  bool open(const stop_requested&) override;
  void play(clock::time_point until, const stop_requested&) override;
  void find_stalled(std::chrono::seconds) override;
  std::size_t running() const override { return playing_ / 2; }

 private:
  struct connection;

  void step();
  void dial_more();
  void dial(connection&);
  void hang_up(connection&);
  void drop(connection&, std::string_view why);
  void readable(connection&);
  void send(connection&);
  void watch(connection&, bool for_writing);
  // Returns false if the connection was closed.
  bool on_data(connection&, const server_message&);
  void on_state(connection&, bench_seat&, const server_message&);
  void time_move(bench_seat&, board after);
  void make_move(connection&, bench_seat&);
  void make_due_moves();
  void redial_due();
  int wait_milliseconds() const;
  bool moves_wait() const;
  clock::time_point thought_by();
  bench_seat& begin(connection&, std::int64_t game);
  bool end(connection&, bench_seat&);
  bench_seat* find(connection&, std::int64_t game);
  void mark_playing(connection&, bench_seat&);

  const wire& wire_;
  connector& connector_;
  const load_plan plan_;
  move_script scripts_;
  openings openings_;
  std::deque<connection> connections_;
  std::deque<bench_seat> seats_;
  std::vector<bench_seat*> free_seats_;
  std::vector<server_message> messages_;
  struct wanted_move {
    connection* by;
    std::int64_t game;
  };
  // By the end of the thought; with a rate, or while the games are opened, they wait for more.
  std::multimap<clock::time_point, wanted_move> moves_wanted_;
  std::minstd_rand random_;
  bool holds_moves_;  // all games are opened before the first move
  clock::time_point next_move_at_;
  struct pending_dial {
    clock::time_point at;
    connection* by;
  };
  std::deque<pending_dial> redials_;  // the next one first
  std::vector<char> buffer_;
  int epoll_ = -1;
  clock::time_point next_dial_at_;
  std::size_t dialled_ = 0;   // connections of the plan
  std::size_t answered_ = 0;  // of those, connections with an answer of the hub
  std::size_t taken_ = 0;     // seats in which a game has begun, of all connections
  std::size_t playing_ = 0;   // seats in running games
  clock::time_point received_at_;
};

}  // namespace gamehub::tools::bench
