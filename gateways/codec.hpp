// The interface of a stream protocol: bytes in, intents out; events in, bytes out. A codec owns no
// socket, thread or clock, so that tests and fuzz targets can run it directly. One codec serves one
// connection, which owns it and calls it from one thread at a time.
#pragma once

#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::gateways {

// A violation of the protocol by the client. It ends the connection.
enum class protocol_error : std::uint8_t {
  malformed,     // does not match the grammar
  unknown_type,  // a message type that the protocol does not have
  too_long,      // above a size limit of the protocol
};
inline constexpr int protocol_error_count = 3;
// Returns the error's name as metrics and logs show it.
std::string_view to_string(protocol_error);

// Why the hub closes a connection.
struct close_cause {
  close_cause(close_reason reason, std::optional<protocol_error> violation = {})
      : why(reason), wrong(violation) {}

  close_reason why;
  std::optional<protocol_error> wrong;  // with close_reason::protocol_error, if it is known
};
// Returns the word of the cause for the client: that of the violation, or that of the reason.
std::string_view word_of(const close_cause&);

// The client leaves. The connection ends as if the client had closed it.
struct goodbye {};

// One decoded input of the client.
using decoded = std::variant<intent, goodbye, protocol_error>;
// Returns an intent as the result of codec::next(). It is moved once, because a seek is large.
template <class Intent>
std::optional<decoded> decoded_intent(Intent&& what) {
  return std::optional<decoded>{std::in_place, std::in_place_type<intent>,
                                std::forward<Intent>(what)};
}

class codec {
 public:
  virtual ~codec() = default;

  // Takes bytes from the client, split at any position. They must stay valid until compact().
  virtual void receive(std::string_view bytes) = 0;

  // Returns the next decoded input, or nothing until more bytes arrive. After a protocol_error or a
  // goodbye it returns nothing.
  virtual std::optional<decoded> next() = 0;

  // Copies the bytes that next() has not consumed, before the received bytes become invalid. Called
  // when next() returned nothing, and when the connection pauses between two intents.
  virtual void compact() = 0;

  // Returns the number of buffered bytes. An unfinished message, or the bytes received before a
  // pause, are the upper bound.
  virtual std::size_t kept_bytes() const = 0;

  // Appends the client's messages for the event, or nothing if the protocol has no message for it.
  virtual void send(const event&, std::string& out) = 0;

  // Appends control replies that next() produced, for example a WebSocket pong.
  virtual void append_control_output(std::string&) {}

  // The connection is slowed down from now on, or not any more: too many of its intents were
  // refused in a row. The codec may say so in the next refusals.
  virtual void set_slowed(bool) {}

  // Appends the protocol's close message, if it has one. Called when the hub closes the connection.
  virtual void farewell(const close_cause&, std::string& out) = 0;
};

}  // namespace gamehub::gateways
