// What the sockets of one loop share: its io_context and timers, one read buffer, and the list of
// connections with output to send. Owned by hub/server, one per loop; used only on the loop's
// thread.
#pragma once

#include "gateways/codec.hpp"
#include "gateways/net/socket_poller.hpp"
#include "hub/base/endpoint.hpp"
#include "hub/base/timers.hpp"
#include "hub/core/ban_list.hpp"
#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/ports.hpp"
#include "hub/core/slow_move.hpp"
#include "metrics/cells.hpp"

#include <boost/asio/io_context.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace gamehub::gateways::net {

class loop_io;
class stream_connection;

// A protocol on one loop, for its connections. Outlives them.
struct loop_context {
  loop_io* loop = nullptr;
  std::uint16_t number = 0;  // index of the protocol in metrics
  session_acceptor* sessions = nullptr;

  // Returns the session of a new client. If the hub is full, a client that is not used makes
  // room: one over TCP that has not asked for a game for a while, else a player over HTTP, else one
  // over TCP.
  std::unique_ptr<session_handle> accept(const std::shared_ptr<attachment>&,
                                         close_reason& why) const;
};

// Called at the end of each loop iteration to flush output.
class loop_iteration_listener {
 public:
  // Flushes output at the end of an iteration.
  virtual void end_turn() = 0;

 protected:
  ~loop_iteration_listener() = default;
};

class loop_io {
 public:
  loop_io(boost::asio::io_context& io, base::timers& clock, metrics::cells& cells,
          id_source<attachment_id>& ids, std::uint64_t trace_salt)
      : io_(io),
        timers_(clock),
        cells_(cells),
        ids_(ids),
        trace_(trace_salt),
        bans_(&empty_ban_list()),
        poller_(io) {}
  ~loop_io() { poller_.clear(); }
  loop_io(const loop_io&) = delete;
  loop_io& operator=(const loop_io&) = delete;

  // Return the loop's io_context, timers, cells, TCP sockets and read buffer.
  boost::asio::io_context& io() { return io_; }
  base::timers& timers() { return timers_; }
  metrics::cells& cells() { return cells_; }
  socket_poller& poller() { return poller_; }
  std::array<char, limits::read_bytes_max>& buffer() { return buffer_; }

  // Returns a new attachment id.
  attachment_id next_attachment() { return ids_.next(); }
  // Returns a new trace id. Trace ids must be distinct, not secret.
  trace_id next_trace() { return trace_id{trace_ += 0x9e3779b97f4a7c15}; }

  // Adds a connection to be flushed at the end of the iteration.
  void add_dirty(std::shared_ptr<stream_connection> c) { dirty_.push_back(std::move(c)); }
  // Registers a listener for the end of each iteration. Requires: it outlives the last iteration.
  void at_turn_end(loop_iteration_listener& who) { turn_listeners_.push_back(&who); }
  // Records that the reply to an intent of a game was written to a connection, for move_duration.
  void record_answer(std::uint16_t protocol, const event& e) {
    answered_.push_back({protocol, e.game, e.answers});
  }
  // Reports each reply that took at least `from` to the listener. Requires: it outlives the last
  // iteration.
  void report_slow_moves(slow_move_listener& to, base::duration from) {
    slow_move_listener_ = &to;
    slow_move_threshold_ = from;
  }

  // Sets what is called with each protocol error of a client whose address is known.
  using protocol_error_listener =
      std::function<void(std::uint16_t protocol, protocol_error, const base::address_bytes&)>;
  void report_protocol_errors(protocol_error_listener to) {
    protocol_error_listener_ = std::move(to);
  }
  const protocol_error_listener& on_protocol_error() const { return protocol_error_listener_; }

  // Sets the ban list for new connections. Requires: it outlives this object.
  void set_ban_list(const ban_list& bans) { bans_ = &bans; }
  const ban_list& bans() const { return *bans_; }
  // Sets what closes the player that has been unused for the longest time, and returns false if no
  // player is unused.
  void set_room_maker(std::function<bool()> make) { make_room_ = std::move(make); }
  bool make_room() const { return make_room_ && make_room_(); }
  // Closes the banned clients of all connections, after a change of the ban list.
  void close_banned();
  // Tells the connections of a protocol that their listener has stopped.
  void drain(const loop_context&);

  // Called by the loop at the end of each iteration. While `pause` is true no connection is read:
  // the journal has fallen behind.
  void end_turn(bool pause);
  bool reading_paused() const { return reading_paused_; }
  // False when the requests, and the ends of connections, of this iteration have taken long, and
  // while others wait: then they wait for the next iterations, so that a thousand which come at
  // once delay no other protocol. The time begins with the first call.
  bool has_request_time();
  // Reads the clock after a request, or after the end of a connection.
  void note_request();
  // Runs `what` in this or a later iteration, as a part of work that may wait (loop::defer_part).
  // Requires: defer_parts_to() was called.
  void defer_part(std::function<void()> what) { defer_part_(std::move(what)); }
  // Sets the function that queues parts. Requires: its target outlives this object.
  void defer_parts_to(std::function<void(std::function<void()>)> queue) {
    defer_part_ = std::move(queue);
  }
  // Adds a connection that continues when reading resumes, or in the next iterations.
  void add_paused(std::shared_ptr<stream_connection> c) {
    paused_connections_.push_back(std::move(c));
  }

 private:
  static const ban_list& empty_ban_list();
  // Returns all connections, which are what the poller has.
  std::vector<std::shared_ptr<stream_connection>> connections() const;
  // Sends all short outboxes. The long ones wait for flush_long(), which sends one.
  void flush();
  void flush_long();
  void time_answers();
  // Lets paused connections continue, in their order, while there is time for requests.
  void resume_paused();
  // Arms a timer, so that the loop runs another iteration even without input.
  void wake();

  struct answer {
    std::uint16_t protocol = 0;
    game_id game;
    receipt to;
  };

  boost::asio::io_context& io_;
  base::timers& timers_;
  metrics::cells& cells_;
  id_source<attachment_id>& ids_;
  std::uint64_t trace_;
  std::vector<std::shared_ptr<stream_connection>> dirty_, flushing_;
  std::deque<std::shared_ptr<stream_connection>> long_outboxes_;  // dirty ones, in their order
  std::vector<loop_iteration_listener*> turn_listeners_;
  std::vector<answer> answered_;
  slow_move_listener* slow_move_listener_ = nullptr;
  base::duration slow_move_threshold_ = base::duration::max();
  protocol_error_listener protocol_error_listener_;
  std::deque<std::shared_ptr<stream_connection>> paused_connections_;
  base::instant requests_began_{};  // of this iteration
  bool requests_took_long_ = false;
  bool resuming_ = false;  // a paused connection continues
  std::function<void(std::function<void()>)> defer_part_;
  const ban_list* bans_;
  std::function<bool()> make_room_;
  bool reading_paused_ = false;
  socket_poller poller_;
  std::array<char, limits::read_bytes_max> buffer_;
};

}  // namespace gamehub::gateways::net
