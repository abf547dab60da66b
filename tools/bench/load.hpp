// The load: many games at once of two players each, both played here, over real sockets; one
// thread, one epoll. Everything the hub says is checked against the rules. Who plays whom is the
// hub's choice: the load finds it out by opening games unlike each other, and times the moves of
// games whose two players it has found, from sending the move to the opponent reading of it.
//
// Owned by the bench, used on its thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "hub/app/bench/any_load.hpp"
#include "hub/app/bench/board.hpp"
#include "hub/app/bench/dialer.hpp"
#include "hub/app/bench/seat.hpp"
#include "hub/app/bench/wire.hpp"

namespace gamehub::app::bench {

struct load_plan {
  int games = 64;
  int connections = 128;  // at least 2; equally many places on each
  bool fresh = false;     // new connections for each game
  bool idle = false;      // nobody moves
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
  // False if the connection is not what it was any more.
  bool hear(connection&, const told&);
  void on_state(connection&, seat&, const told&);
  void time_move(seat&, board after);
  void make_move(connection&, seat&);
  seat& begin(connection&, std::int64_t game);
  bool end(connection&, seat&);
  seat* find(connection&, std::int64_t game);
  void mark_playing(connection&, seat&);

  const wire& wire_;
  connector& connector_;
  const load_plan plan_;
  move_script scripts_;
  openings openings_;
  std::deque<connection> connections_;
  std::deque<seat> seats_;
  std::vector<seat*> free_seats_;
  std::vector<told> heard_;
  std::vector<char> buffer_;
  int epoll_ = -1;
  std::size_t dialled_ = 0;   // of the connections of the plan
  std::size_t answered_ = 0;  // of those, the ones to which the hub has said something
  std::size_t taken_ = 0;     // places in which a game has begun, of all connections
  std::size_t playing_ = 0;   // seats, now
  clock::time_point received_at_;
};

}  // namespace gamehub::app::bench
