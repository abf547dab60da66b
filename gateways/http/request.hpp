// A request and the answer to it as plain values: the shell at the socket fills the one and sends
// the other, everything between them is functions. A request's texts are views into the message
// that came, which outlives it. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gateways/endpoint.hpp"
#include "hub/core/time.hpp"

namespace gamehub::gateways::http {

struct request {
  std::string_view method;
  std::string_view path;   // as it came: not decoded
  std::string_view query;  // as it came, without '?'

  // The fields that matter. Several lines of a list are joined by commas.
  std::string_view content_type;
  std::string_view accept;
  std::string_view accept_encoding;
  std::string_view if_none_match;
  std::string_view authorization;
  std::string_view last_event_id;
  std::string_view forwarded;
  std::string_view forwarded_for;  // X-Forwarded-For
  std::string_view origin;
  std::string_view upgrade;
  std::string_view websocket_key;      // Sec-WebSocket-Key
  std::string_view websocket_version;  // Sec-WebSocket-Version

  // One of content_type, authorization and last_event_id that came more than once, which no honest
  // client sends; empty: none did.
  std::string_view repeated_field;

  std::string_view body;
  endpoint remote;  // the other end of the connection: a client or a proxy
  instant received{};
};

struct field {
  std::string_view name;  // of a fixed list: literals
  std::string value;
};

struct response {
  int status = 200;
  std::string_view content_type = "application/json";
  std::string_view cache_control = "no-store";
  std::vector<field> fields;  // besides Content-Type and those of every answer
  std::string body;
};

// Fields of every answer: it is what its type says, and its address is nobody else's business.
inline constexpr struct {
  std::string_view name, value;
} fields_of_every_answer[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
};

}  // namespace gamehub::gateways::http
