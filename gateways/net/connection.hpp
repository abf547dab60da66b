// One TCP client: reads into its codec, submits what the codec understands, and sends what the hub
// delivers. It stops reading while too much of what it asked is unanswered or unsent, so that a
// client can only fill its own buffers. Lives on one loop, shared by its pending socket operation
// and by the session that it belongs to.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gateways/codec.hpp"
#include "gateways/net/loop_io.hpp"
#include "hub/core/ports.hpp"

namespace gamehub::gateways::net {

using tcp = boost::asio::ip::tcp;
using stream_socket = boost::asio::basic_stream_socket<tcp, boost::asio::io_context::executor_type>;

// What the connections of one wire on one loop share. Outlives them.
struct listener_context {
  loop_io* loop = nullptr;
  std::uint16_t number = 0;  // of the wire
  session_acceptor* desk = nullptr;
};

class connection final : public attachment, public std::enable_shared_from_this<connection> {
 public:
  // `gone` is called once, when the socket is closed.
  connection(listener_context&, stream_socket, std::unique_ptr<codec>, std::function<void()> gone);
  ~connection() override;

  // Asks the reception for a door and begins to read; says goodbye if there is no room. `first` was
  // written before, and `read` has been read already, by whoever had the socket until now.
  void start(std::string first = {}, std::string_view read = {});

  // Sends what waits, and goes on reading if that was held up.
  void flush();

  // The loop reads again.
  void go_on();

  // The operator keeps its address out.
  bool is_banned() const;

  attachment_id id() const override { return id_; }
  void deliver(const event&) override;
  void close(close_reason) override;
  void set_session(std::unique_ptr<session_handle>) override;

 private:
  friend class loop_io;

  enum class state : std::uint8_t { open, closing, closed };

  void read();
  void received(std::size_t bytes);
  void take(std::string_view bytes);
  // Submits what the codec has, as far as the limits let it.
  void process_input();
  void submit_intents();
  void pay();
  void submit(intent&);
  bool paused() const;
  // Reads, or has the loop call go_on() when it may.
  void read_unless_paused();
  bool send_some();
  void wait_writable();
  void send_close();
  void drop(close_reason);
  void touch();
  metrics::wire_cells& cells() { return wire_.loop->cells().wires[wire_.number]; }

  listener_context& wire_;
  stream_socket socket_;
  std::unique_ptr<codec> codec_;
  std::unique_ptr<session_handle> door_;
  std::function<void()> gone_;
  attachment_id id_;
  std::string outbox_;
  instant received_{};
  timers::token deadline_;
  std::uint32_t next_ticket_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint32_t discarded_bytes_ = 0;
  state state_ = state::open;
  close_reason why_ = close_reason::client_left;
  bool reading_ = false;
  bool dirty_ = false;
  bool held_ = false;        // waits for go_on()
  bool blocked_ = false;     // the socket takes no more for now
  bool signing_in_ = false;  // nothing is understood before the hub knows who it is
  bool close_sent_ = false;    // no more can be written

  connection *previous_ = nullptr, *next_ = nullptr;  // of the loop's list

  // Small reads land here, so that an idle connection needs no more and a busy one no extra call.
  std::array<char, 128> small_;
};

}  // namespace gamehub::gateways::net
