// One TCP client of the HTTP wire: reads its requests, has each answered before it takes the next,
// and sends the answers. It reads no further than it answers, so that a client can only fill its
// own buffers; one that waits for its next request keeps none. Lives on one loop, shared by its
// pending socket operation and by those who owe it an answer.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "gateways/http/routes.hpp"
#include "gateways/http/server/message_reader.hpp"
#include "gateways/http/server/response_writer.hpp"
#include "gateways/net/connection.hpp"
#include "hub/core/reasons.hpp"
#include "hub/core/timers.hpp"
#include "metrics/cells.hpp"

namespace gamehub::gateways::http::server {

class service;
class update_stream;

class connection final : public std::enable_shared_from_this<connection> {
 public:
  connection(service&, net::stream_socket, const endpoint& remote);
  ~connection();

  // `gone` is called once, when the socket is closed.
  void start(std::function<void()> gone);

  service& at() const { return service_; }

  // What the request that is here wants, to be counted by.
  void is_for(operation what) { route_ = static_cast<std::uint8_t>(what); }
  void is_for_rpc() { route_ = rpc_route; }

  // Whose request is here: the client, or a proxy's word for it.
  void asked_from(const endpoint& e) { requester_ = e; }
  // The operator keeps out whoever asked last, or the address itself.
  bool is_banned() const;

  // The page of this site may read the answer; null: only those of the hub's own may. The text
  // outlives the connection.
  void let_read(const std::string* site) { form_.site = site; }

  // The answer to the request that is here. Does nothing if the client has gone.
  void answer(const response&);
  // The same, after a while.
  void answer_delayed(response, limits::seconds);

  // From now on this reader has the answer, which is a stream or comes some time.
  void attach(std::shared_ptr<update_stream>);
  void set_poll_timeout(limits::seconds);
  void begin_stream(std::string_view content_type);
  void send_chunk(std::initializer_list<std::string_view> parts);
  void end_stream();

  // The request is answered with this, and what follows is no HTTP.
  void switch_to_websocket(const response&);

  // Sends what waits, and goes on reading if that was held up.
  void flush();
  // The loop reads again.
  void go_on();
  // Whoever asked last is kept out from now on: no answer comes, and no stream goes on.
  void expel() { drop(close_reason::banned); }
  // The hub goes down: what is under way is answered, nothing else.
  void stop();

 private:
  enum class state : std::uint8_t {
    reading,    // for the next request
    answering,  // somebody owes the answer to one
    streaming,  // which comes in pieces
    closing,    // the last answer is on its way
    closed
  };

  void read();
  void received(std::size_t bytes);
  void take(std::string_view bytes);
  // Takes what was read, as far as it can be answered.
  void process_input();
  void serve(const message&);
  void refuse(const error&, close_reason);
  bool paused() const;
  void read_unless_paused();
  bool send_some();
  void wait_writable();
  void finish();
  void detach();
  void send_close();
  void drop(close_reason);
  void touch();
  void set_deadline(instant);
  void time_is_up();

  service& service_;
  net::stream_socket socket_;
  endpoint remote_, requester_;
  std::function<void()> gone_;
  message_reader reader_;
  std::string outbox_;
  answer_form form_;  // of the answer that is owed
  std::shared_ptr<update_stream> stream_;
  instant received_{};
  instant deadline_ = instant::max();
  instant armed_for_ = instant::max();
  timers::token clock_;
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
  bool held_ = false;      // waits for go_on()
  bool blocked_ = false;   // the socket takes no more for now
  bool close_sent_ = false;  // no more can be written
  bool no_progress_ = false;     // nothing was taken since the time was last up
  bool stream_paused_ = false;    // the stream is held until the client has read what it was sent
  // An answer that waits for its time, and whom nobody else keeps meanwhile.
  struct delayed_response {
    response what;
    std::shared_ptr<connection> to;
  };
  std::unique_ptr<delayed_response> late_;

  // Most requests fit, so that an idle connection needs no more and a busy one no extra call.
  std::array<char, 512> small_;
};

}  // namespace gamehub::gateways::http::server
