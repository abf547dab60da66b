// One TCP client of HTTP: reads its requests, has each answered before it reads the next one, and
// sends the responses. It stops reading while a request is unanswered, so that a client can only
// fill its own buffers. It lives on one loop, shared by its pending socket operation and by every
// pending response.
#pragma once

#include "gateways/http/message_reader.hpp"
#include "gateways/http/response_writer.hpp"
#include "gateways/http/routes.hpp"
#include "gateways/net/connection.hpp"
#include "hub/base/timers.hpp"
#include "hub/core/reasons.hpp"
#include "metrics/cells.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

class loop_service;
class update_stream;

class connection final : public std::enable_shared_from_this<connection> {
 public:
  connection(loop_service&, net::stream_socket, const base::endpoint& remote);
  ~connection();

  // `on_closed` is called once, when the socket is closed.
  void start(std::function<void()> on_closed);

  // Returns the loop's service.
  loop_service& service() const { return service_; }

  // Set the route of the current request for metrics.
  void set_route(operation what) { route_ = static_cast<std::uint8_t>(what); }
  void set_rpc_route() { route_ = rpc_route; }

  // Sets the origin of the current request: the client, or the address that a trusted proxy names.
  void set_requester(const base::endpoint& e) { requester_ = e; }
  // True if the origin of the latest request or the remote address is banned.
  bool is_banned() const;

  // Allows pages of this site to read the response (CORS); null: no other site. The text outlives
  // the connection.
  void allow_site(const std::string* site) { form_.site = site; }

  // Answers the current request. Does nothing if the client is gone.
  void answer(const response&);
  // Answers after a delay.
  void answer_delayed(response, limits::seconds);

  // Attaches the stream or long poll that answers the current request.
  void attach(std::shared_ptr<update_stream>);
  // Sets the timeout of an attached long poll.
  void set_poll_timeout(limits::seconds);
  // Sends the head of a streamed response, its pieces, and its end.
  void begin_stream(std::string_view content_type);
  void send_chunk(std::initializer_list<std::string_view> parts);
  void end_stream();

  // Answers with 101 and passes the socket to the WebSocket protocol.
  void switch_to_websocket(const response&);

  // Sends the outbox, and continues reading if reading was paused.
  void flush();
  // Called when the loop resumes reading.
  void resume_reading();
  // Closes the connection of a banned client without a response.
  void close_banned_client() { drop(close_reason::banned); }
  // The hub is stopping: the current request is still answered.
  void stop();

 private:
  enum class state : std::uint8_t {
    reading,    // reads the next request
    answering,  // a request waits for its response
    streaming,  // the response is a stream
    closing,    // sends the last response
    closed
  };

  void read();
  void on_read(std::size_t bytes);
  void process_bytes(std::string_view bytes);
  // Processes the bytes that were read, as far as requests can be answered.
  void process_input();
  void serve(const parsed_request&);
  void refuse(const error&, close_reason);
  bool paused() const;
  void read_unless_paused();
  bool send_some();
  void wait_writable();
  void finish();
  void detach();
  void send_close();
  void drop(close_reason);
  void mark_dirty();
  void set_deadline(base::instant);
  void on_timeout();

  loop_service& service_;
  net::stream_socket socket_;
  base::endpoint remote_, requester_;
  std::function<void()> on_closed_;
  message_reader reader_;
  std::string outbox_;
  answer_form form_;  // of the pending response
  std::shared_ptr<update_stream> stream_;
  base::instant received_{};
  base::instant deadline_ = base::instant::max();
  base::instant armed_for_ = base::instant::max();
  base::timers::token timer_;
  std::uint32_t discarded_bytes_ = 0;
  static constexpr std::uint8_t unrouted = operation_count;
  static constexpr std::uint8_t rpc_route = unrouted + 1;
  static_assert(rpc_route < metrics::request_cells::routes_max);
  std::uint8_t route_ = unrouted;
  state state_ = state::reading;
  close_reason why_ = close_reason::client_left;
  bool asked_anything_ = false;
  bool reading_ = false;
  bool processing_ = false;
  bool dirty_ = false;
  bool read_paused_ = false;    // waits for resume_reading()
  bool blocked_ = false;        // the socket's send buffer is full
  bool close_sent_ = false;     // the sending side is shut down
  bool no_progress_ = false;    // no byte was sent since the last timeout
  bool stream_paused_ = false;  // the stream is paused until the client has read the outbox
  // A delayed response, which keeps the connection alive.
  struct delayed_response {
    response what;
    std::shared_ptr<connection> to;
  };
  std::unique_ptr<delayed_response> delayed_;

  // The buffer for small reads. Most requests fit, so an idle connection needs no larger one.
  std::array<char, 512> small_;
};

}  // namespace gamehub::gateways::http
