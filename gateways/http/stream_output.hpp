// What a request came by and the streams that answer it know of each other. On one loop.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>

namespace gamehub::gateways::http {

// Where a stream or long poll writes its response.
class stream_output {
 public:
  virtual ~stream_output() = default;

  // Counts more requests of the address than the current one.
  virtual void charge_requests(std::uint32_t) = 0;
  // Sets the timeout of a long poll.
  virtual void set_poll_timeout(limits::seconds) = 0;
  // Send the head of a streamed response, a piece of one line or event, and the end.
  virtual void begin_stream(std::string_view content_type) = 0;
  virtual void send_chunk(std::initializer_list<std::string_view> parts) = 0;
  virtual void end_stream() = 0;
  // Ends a stream that is not complete, so that the client asks for the rest.
  virtual void break_off() { end_stream(); }
  // Answers without a stream, at once or after a delay.
  virtual void answer(const response&) = 0;
  virtual void answer_delayed(response, limits::seconds) = 0;
};

// The stream or long poll that answers the present request.
class attached_stream {
 public:
  virtual ~attached_stream() = default;

  // The client has left, or needs no more updates.
  virtual void stop() = 0;
  // Poll timeout, or keep-alive interval of a stream.
  virtual void on_timeout() = 0;
  // Pauses or resumes the updates, when the outbox is full or empty.
  virtual void pause(bool) = 0;
  // The hub is stopping: a poll ends, and so does a stream of a game that has not started.
  virtual void on_shutdown() = 0;
};

class loop_service;
enum class operation : std::uint8_t;

// What a request came by, and its response goes to: a connection, or another hub of the cluster
// that has read the request. On the loop of its service.
class responder : public stream_output {
 public:
  virtual loop_service& service() const = 0;
  // Sets the route of the present request for metrics.
  virtual void set_route(operation) = 0;
  // Attaches the stream or long poll that answers the present request.
  virtual void attach(std::shared_ptr<attached_stream>) = 0;
};

}  // namespace gamehub::gateways::http
