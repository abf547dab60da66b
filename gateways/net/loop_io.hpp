// What the sockets of one loop share: the io_context and timers of the loop, one buffer to read
// into, and the list of connections that have something to send. Owned by hub/app, one per loop,
// used on the loop's thread only.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/moderation.hpp"
#include "hub/core/slow_move.hpp"
#include "hub/core/timers.hpp"
#include "metrics/cells.hpp"

namespace gamehub::gateways::net {

class connection;

// Who has something to do at the end of each turn: to send what was said in it.
class loop_iteration_listener {
 public:
  virtual void end_turn() = 0;

 protected:
  ~loop_iteration_listener() = default;
};

class loop_io {
 public:
  loop_io(boost::asio::io_context& io, timers& clock, metrics::cells& cells,
          id_source<attachment_id>& ids, std::uint64_t trace_salt)
      : io_(io),
        timers_(clock),
        cells_(cells),
        ids_(ids),
        trace_(trace_salt),
        rules_(&empty_ban_list()) {}

  boost::asio::io_context& io() { return io_; }
  gamehub::timers& timers() { return timers_; }
  metrics::cells& cells() { return cells_; }
  std::array<char, limits::read_bytes_max>& buffer() { return buffer_; }

  attachment_id next_attachment() { return ids_.next(); }
  // Traces need to be told apart, not to be secret.
  trace_id next_trace() { return trace_id{trace_ += 0x9e3779b97f4a7c15}; }

  // This connection wants to be flushed at the end of the turn.
  void add_dirty(std::shared_ptr<connection> c) { dirty_.push_back(std::move(c)); }
  // From now on it hears of every turn's end. Requires: it outlives the last turn.
  void at_turn_end(loop_iteration_listener& who) { turn_listeners_.push_back(&who); }
  // This answer to what concerns a game is on its way to its socket.
  void answered(std::uint16_t wire, const event& e) {
    answered_.push_back({wire, e.game, e.answers});
  }
  // From now on that one hears of each answer that took so long. It outlives the last turn.
  void report_slow_moves(slow_move_listener& to, duration from) {
    slow_move_listener_ = &to;
    slow_move_threshold_ = from;
  }

  // From now on whom these keep out can't connect. They outlive it.
  void obey(const ban_list& rules) { rules_ = &rules; }
  const ban_list& rules() const { return *rules_; }
  // Connections from when they are made until they are closed.
  void joined(connection&);
  void left(connection&);
  // Whom the operator keeps out has changed.
  void close_banned();

  // Called by the loop at the end of each turn. While it holds, no connection is read from: the hub
  // can't keep up with what it has read already.
  void end_turn(bool hold) {
    pause_reading(hold);
    for (auto* each : turn_listeners_) each->end_turn();
    flush();
  }
  bool reading_paused() const { return reading_paused_; }
  // This connection wants to go on when reading does.
  void held(std::shared_ptr<connection> c) { held_.push_back(std::move(c)); }

 private:
  static const ban_list& empty_ban_list();
  void flush();
  void time_answers();
  void pause_reading(bool);
  // Has the loop turn again soon, where it might have nothing else to do.
  void wake();

  struct answer {
    std::uint16_t wire = 0;
    game_id game;
    receipt to;
  };

  boost::asio::io_context& io_;
  gamehub::timers& timers_;
  metrics::cells& cells_;
  id_source<attachment_id>& ids_;
  std::uint64_t trace_;
  std::vector<std::shared_ptr<connection>> dirty_, flushing_;
  std::vector<loop_iteration_listener*> turn_listeners_;
  std::vector<answer> answered_;
  slow_move_listener* slow_move_listener_ = nullptr;
  duration slow_move_threshold_ = duration::max();
  std::vector<std::shared_ptr<connection>> held_;
  connection* first_connection_ = nullptr;  // of a list that goes through all of them
  const ban_list* rules_;
  bool reading_paused_ = false;
  std::array<char, limits::read_bytes_max> buffer_;
};

}  // namespace gamehub::gateways::net
