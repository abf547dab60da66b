// HTTP/1.1 on one stream connection: has each request answered before it reads the next one, and
// processes no request while the outbox is long, so that a client can only fill its own buffers. It
// lives on one loop, shared by its connection and by every pending response.
#pragma once

#include "gateways/http/gzip.hpp"
#include "gateways/http/idle_connections.hpp"
#include "gateways/http/message_reader.hpp"
#include "gateways/http/rate_limiter.hpp"
#include "gateways/http/response_writer.hpp"
#include "gateways/http/routes.hpp"
#include "gateways/http/stream_output.hpp"
#include "gateways/net/stream_connection.hpp"
#include "hub/core/reasons.hpp"
#include "metrics/cells.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::gateways::http {

class loop_service;

class connection final : public net::stream_protocol, public responder {
 public:
  connection(loop_service&, const net::loop_context&, net::accepted_stream);
  ~connection() override;

  // Starts reading. If the hub is full, an idle connection makes room first. Without one, the first
  // request is refused, or the client at once.
  void start();
  // Closes at once, because a full hub needs the place. Requires: it is idle.
  void make_room();

  loop_service& service() const override { return service_; }

  void set_route(operation what) override { route_ = static_cast<std::uint8_t>(what); }
  void set_rpc_route() { route_ = rpc_route; }

  // Sets the origin of the current request.
  void set_origin(const rate_limiter::origin& from) { origin_ = from; }
  // Keeps the place that a client behind a trusted proxy holds for its stream or WebSocket, until
  // that has ended.
  void keep(address_hold stream) { proxied_stream_ = std::move(stream); }

  // Allows pages of this site to read the response (CORS); null: no other site. The text outlives
  // the connection.
  void allow_site(const std::string* site) { form_.site = site; }

  // Answers the current request. Does nothing if the client is gone.
  void answer(const response&) override;
  void answer_delayed(response, limits::seconds) override;

  void attach(std::shared_ptr<attached_stream>) override;
  void charge_requests(std::uint32_t) override;
  void set_poll_timeout(limits::seconds) override;
  void begin_stream(std::string_view content_type) override;
  void send_chunk(std::initializer_list<std::string_view> parts) override;
  void end_stream() override;

  // Answers with 101 and hands the connection over to the WebSocket protocol.
  void switch_to_websocket(const response&);

 private:
  enum class state : std::uint8_t {
    reading,    // reads the next request
    answering,  // a request waits for its response
    streaming,  // the response is a stream
    ended       // the last response is written, or the connection is closed
  };

  void on_data(std::string_view) override;
  void on_sent() override;
  void on_timeout() override;
  // The current request is still answered.
  void on_drain() override;
  // Closes without a response if the origin of the latest request or the remote address is banned.
  void on_bans_changed() override;
  void on_close() override;
  bool wants_input() const override;

  std::shared_ptr<connection> self() {
    return std::static_pointer_cast<connection>(shared_from_this());
  }
  // Processes the bytes that were read, as far as requests can be answered.
  void process_input();
  void serve(const parsed_request&);
  void refuse(const error&, close_reason);
  void refuse_full(const request&);
  void finish(close_reason);
  // Compresses a part of the answer, then the next one or sends it.
  void compress_next();
  void send_answer(const response&);
  void detach();
  void begin(bool has_room);
  // Waits for the next request, or for the rest of the present one, and sets their deadline.
  void await_request(base::instant now);
  void leave_idle();
  void set_deadline(base::instant);
  // Counts the bytes of a response as requests of their address.
  void charge(std::size_t bytes);

  loop_service& service_;
  net::stream_connection io_;
  base::endpoint remote_;
  rate_limiter::origin origin_;
  address_hold proxied_stream_;
  message_reader reader_;
  answer_form form_;  // of the pending response
  std::shared_ptr<attached_stream> stream_;
  std::optional<idle_connections::place> idle_;  // among those that wait for a request
  base::instant deadline_ = base::instant::max();
  base::instant armed_for_ = base::instant::max();
  static constexpr std::uint8_t unrouted = operation_count;
  static constexpr std::uint8_t rpc_route = unrouted + 1;
  static_assert(rpc_route < metrics::request_cells::routes_max);
  std::uint8_t route_ = unrouted;
  state state_ = state::reading;
  close_reason why_ = close_reason::client_left;  // after the response
  bool takes_gzip_ = false;                       // the client of the present request
  bool processing_ = false;
  bool refused_ = false;    // the hub was full when the client connected
  bool has_asked_ = false;  // it has sent a request
  std::uint32_t uncharged_bytes_ = 0;
  bool stream_paused_ = false;  // the stream is paused until the client has read the outbox
  // A delayed response, which keeps the connection alive.
  struct delayed_response {
    response what;
    std::shared_ptr<connection> to;
  };
  std::unique_ptr<delayed_response> delayed_;
  std::unique_ptr<gzip_parts> compressed_;  // a long answer
};

}  // namespace gamehub::gateways::http
