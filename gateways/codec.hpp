// The protocol interface: bytes in, intents out; events in, bytes out. A codec owns no socket,
// thread or clock, so it can be tested byte by byte and fuzzed as it is. One codec serves one
// connection, which owns it and calls it from one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

namespace gamehub::gateways {

// What a client said that its protocol does not know. The connection ends with it.
enum class protocol_error : std::uint8_t {
  malformed,     // not the protocol's grammar
  unknown_type,  // a message that the protocol does not have
  too_long,      // over the protocol's bound
};
inline constexpr int protocol_error_count = 3;
std::string_view to_string(protocol_error);

// The client takes its leave: the connection ends with it, as if the client had closed it.
struct goodbye {};

using decoded = std::variant<intent, goodbye, protocol_error>;

class codec {
 public:
  virtual ~codec() = default;

  // Bytes from the client, cut anywhere. They must stay valid until keep_rest().
  virtual void receive(std::string_view bytes) = 0;

  // The next thing the client said, or nothing until more bytes come. After a protocol_error
  // or a goodbye there is nothing more, ever.
  virtual std::optional<decoded> next() = 0;

  // The received bytes are about to go: copies what next() has not taken. Called when next()
  // returned nothing, and also when the connection pauses in the midst of many intents.
  virtual void keep_rest() = 0;

  // Bytes kept. Bounded: by an unfinished message, or by what was received before a pause.
  virtual std::size_t kept_bytes() const = 0;

  // Appends what this client should read about the event; nothing, where its protocol has no
  // words for it.
  virtual void send(const event&, std::string& out) = 0;

  // Appends what the client is owed for what next() has taken and nobody else will answer, such as
  // a sign of life. Most protocols have none.
  virtual void owe(std::string&) {}

  // Appends the last words of a connection that the hub closes, if the protocol has any.
  virtual void farewell(close_reason, std::string& out) = 0;
};

}  // namespace gamehub::gateways
