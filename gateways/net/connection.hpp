// One TCP client: passes received bytes to its codec, submits the decoded intents, and sends what
// the hub delivers. It stops reading while too many intents are unanswered or too many bytes
// unsent, so that a client can only fill its own buffers. It lives on one loop; the pending socket
// operation and the session share it.
#pragma once

#include "gateways/codec.hpp"
#include "gateways/net/loop_io.hpp"
#include "hub/core/ports.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gamehub::gateways::net {

using tcp = boost::asio::ip::tcp;
using stream_socket = boost::asio::basic_stream_socket<tcp, boost::asio::io_context::executor_type>;

// What the connections of one port on one loop share. Outlives them.
struct listener_context {
  loop_io* loop = nullptr;
  std::uint16_t number = 0;  // index of the protocol in metrics
  session_acceptor* sessions = nullptr;
};

class connection final : public attachment, public std::enable_shared_from_this<connection> {
 public:
  // `on_closed` is called once, when the socket is closed.
  connection(listener_context&, stream_socket, std::unique_ptr<codec>,
             std::function<void()> on_closed);
  ~connection() override;

  // Requests a session and starts reading; closes with a reason if the hub accepts no player.
  // `first` is sent before everything else. `read` holds bytes that the previous owner of the
  // socket has already read.
  void start(std::string first = {}, std::string_view read = {});

  // Sends the outbox, and continues reading if reading was paused.
  void flush();

  // Called when the loop resumes reading.
  void resume_reading();

  // True if the client's address is banned.
  bool is_banned() const;

  attachment_id id() const override { return id_; }
  void deliver(const event&) override;
  void close(close_reason) override;
  void set_session(std::unique_ptr<session_handle>) override;

 private:
  friend class loop_io;

  enum class state : std::uint8_t { open, closing, closed };

  void read();
  void on_read(std::size_t bytes);
  void process_bytes(std::string_view bytes);
  // Submits decoded intents until a limit pauses the connection.
  void process_input();
  void submit_intents();
  void flush_control_output();
  void submit(intent&);
  bool paused() const;
  // Reads, or registers for resume_reading() while the loop has paused reading.
  void read_unless_paused();
  bool send_some();
  void wait_writable();
  void send_close();
  void drop(close_reason);
  void mark_dirty();
  metrics::wire_cells& cells() { return context_.loop->cells().wires[context_.number]; }

  listener_context& context_;
  stream_socket socket_;
  std::unique_ptr<codec> codec_;
  std::unique_ptr<session_handle> session_;
  std::function<void()> on_closed_;
  attachment_id id_;
  std::string outbox_;
  base::instant received_{};
  base::timers::token deadline_;
  std::uint32_t next_ticket_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint32_t discarded_bytes_ = 0;
  state state_ = state::open;
  close_reason why_ = close_reason::client_left;
  bool reading_ = false;
  bool dirty_ = false;
  bool read_paused_ = false;  // waits for resume_reading()
  bool blocked_ = false;      // the socket's send buffer is full
  bool signing_in_ = false;   // no intent is read until the sign-in is answered
  bool close_sent_ = false;   // the sending side is shut down

  connection *previous_ = nullptr, *next_ = nullptr;  // links of the loop's list

  // The buffer for small reads. An idle connection needs no larger one, and a short read saves a
  // second system call.
  std::array<char, 128> small_;
};

}  // namespace gamehub::gateways::net
