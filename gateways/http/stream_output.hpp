// What a connection and the streams that answer its request know of each other. On one loop.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"

#include <cstdint>
#include <initializer_list>
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
  // Answers without a stream, at once or after a delay.
  virtual void answer(const response&) = 0;
  virtual void answer_delayed(response, limits::seconds) = 0;
};

// The stream or long poll that answers the present request of a connection.
class attached_stream {
 public:
  virtual ~attached_stream() = default;

  // The connection is closed, or needs no more updates.
  virtual void stop() = 0;
  // Poll timeout, or keep-alive interval of a stream.
  virtual void on_timeout() = 0;
  // Pauses or resumes the updates, when the connection's outbox is full or empty.
  virtual void pause(bool) = 0;
  // The hub is stopping: a poll ends, and so does a stream of a game that has not started.
  virtual void on_shutdown() = 0;
};

}  // namespace gamehub::gateways::http
