// One TCP connection: its socket, reads, outbox and timer. It stops reading while its protocol
// wants no input, and processes no input while the outbox is long or the socket takes no more
// bytes, so that a client can only fill its own buffers.
//
// A stream_protocol decides what the bytes mean. It contains the connection; from start() until the
// connection is closed its loop's poller shares both. They are used on the loop's thread.
#pragma once

#include "gateways/codec.hpp"
#include "gateways/net/loop_io.hpp"
#include "gateways/net/outbox.hpp"
#include "gateways/net/socket_poller.hpp"
#include "hub/base/endpoint.hpp"
#include "hub/base/time.hpp"
#include "hub/base/timers.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/reasons.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::gateways::net {

class stream_listener;

// Counts one connection of a listener, and of its address, until it is destroyed.
struct leave_listener {
  address_hold counted;
  void operator()(stream_listener*) const;
};
using admission = std::unique_ptr<stream_listener, leave_listener>;

// A connected socket without its protocol: just accepted, or handed over by another protocol, whose
// last output may still be in the outbox.
struct accepted_stream {
  stream_socket socket;
  base::endpoint from;  // of a new connection
  admission counted;
  std::string outbox = {};

  // The connection that its address holds.
  address_hold& hold() { return counted.get_deleter().counted; }
};

// What a protocol does with its connection. A codec implements the part between bytes and events of
// the hub; see codec_connection.
class stream_protocol : public std::enable_shared_from_this<stream_protocol> {
 public:
  virtual ~stream_protocol() = default;

  // Bytes of the client, valid during the call.
  virtual void on_data(std::string_view) = 0;
  // The outbox is sent: input that was left unprocessed may be processed now. The protocol ends
  // with continue_reading().
  virtual void on_sent() = 0;
  // The time of set_timer() has come.
  virtual void on_timeout() {}
  // The listener has stopped: no new client is accepted, present ones may finish.
  virtual void on_drain() {}
  // The ban list has changed: a banned client has to be closed.
  virtual void on_bans_changed() = 0;
  // More output waits than a client may leave unread. Returns true if the protocol has closed the
  // connection with its last message; otherwise it is dropped.
  virtual bool on_slow_reader() { return false; }
  // The connection is closed. Called once.
  virtual void on_close() = 0;

  // True if the protocol can take more bytes now.
  virtual bool wants_input() const = 0;
};

class stream_connection final : private socket_poller::listener {
 public:
  // While more than this waits to be sent, no input of the client is processed.
  static constexpr std::size_t outbox_pause_bytes = 64 * 1024;
  static_assert(2 * outbox_pause_bytes < limits::outbox_bytes_max);

  // Requires: `owner` contains this object, is shared, and calls drop() in its destructor.
  stream_connection(stream_protocol& owner, const loop_context&, accepted_stream);
  stream_connection(const stream_connection&) = delete;
  stream_connection& operator=(const stream_connection&) = delete;

  // Starts with bytes that the previous protocol has already read, then reads.
  void start(std::string_view unread = {});
  // Reads, unless that is pending; or, if the protocol wants no input because the loop has paused
  // reading, waits until the loop resumes.
  void continue_reading();
  bool is_reading() const { return reading_; }

  // The bytes to send. After appending, mark_dirty() makes the loop flush them in this iteration.
  std::string& outbox() { return outbox_; }
  void mark_dirty();
  // True while no input should be processed, because its replies could not be sent or the journal
  // has fallen behind.
  bool is_congested() const {
    return blocked_ || outbox_.size() > outbox_pause_bytes || context_.loop->reading_paused();
  }
  // True while the socket's send buffer is full.
  bool is_blocked() const { return blocked_; }
  // True if the socket is blocked and has taken no byte since the previous call.
  bool is_stalled() { return blocked_ && std::exchange(no_progress_, true); }

  // Calls on_timeout() once, at or after this time. Replaces the previous time.
  void set_timer(base::instant);

  bool is_open() const { return state_ == state::open; }
  // Sends the outbox, lets the client read it, and closes. Up to `discarded_max` more bytes of the
  // client are discarded; the protocol gets none of them.
  void close(close_reason, std::size_t discarded_max = limits::linger_bytes_max);
  // Closes at once.
  void drop(close_reason);
  // Hands the socket and the outbox over to another protocol; this object is closed.
  accepted_stream release();

  // True if the client has closed its side, also behind input that was not read yet.
  bool has_peer_closed() const { return peer_closed_; }

  // The account of the client's address, which never changes; null: the client has no limits. Any
  // thread.
  const address_account_ref& account() const { return unsent_.account(); }
  // The time of the latest read.
  base::instant received_at() const { return received_; }
  // True if the client's address is banned.
  bool is_peer_banned() const;
  // Counts and reports a violation of the protocol.
  void record(protocol_error) const;

  const loop_context& context() const { return context_; }
  loop_io& loop() const { return *context_.loop; }
  metrics::wire_cells& cells() const { return loop().cells().wires[context_.number]; }

 private:
  friend class loop_io;

  enum class state : std::uint8_t { open, closing, closed };

  // Nothing: the socket is closed or reset.
  std::optional<base::address_bytes> peer_address() const;
  std::shared_ptr<stream_connection> shared() { return {owner_.shared_from_this(), this}; }
  void on_ready(socket_poller::readiness) override;
  void read();
  void receive();
  // The client is gone: closes, now or with others that are gone in the next iterations.
  void on_end_of_input();
  // Closes at once, in the time that an iteration has for requests.
  void drop_counted();
  void process_bytes(std::string_view);
  bool paused() const { return state_ == state::open && !owner_.wants_input(); }
  void resume_reading();
  void flush();
  bool send_some();
  // Counts the outbox in what its address has unsent. Returns false if that may not be as much.
  bool hold_unsent();
  void send_close();
  void on_timer();

  stream_protocol& owner_;
  const loop_context& context_;
  stream_socket socket_;
  socket_poller::token polled_ = socket_poller::none;
  admission admission_;
  std::string outbox_;
  address_hold unsent_;  // while the socket is blocked
  base::instant received_{};
  base::timers::token timer_;
  std::uint32_t discardable_ = 0;  // bytes that may still be discarded while closing
  state state_ = state::open;
  close_reason why_ = close_reason::client_left;
  bool reading_ = false;      // reads when there is input
  bool readable_ = false;     // there may be input
  bool peer_closed_ = false;  // the client has ended its output, or is gone
  bool dirty_ = false;
  bool read_paused_ = false;  // waits for resume_reading()
  bool input_ended_ = false;  // all input is read
  bool blocked_ = false;      // the socket's send buffer is full
  bool no_progress_ = false;  // no byte was sent since is_stalled() asked
  bool close_sent_ = false;   // the sending side is shut down
};

}  // namespace gamehub::gateways::net
