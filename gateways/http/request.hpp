// A request and its response as plain values. The connection fills the request and sends the
// response; all code between them is functions of values. A request's texts are views of the
// received message, which outlives it. Any thread.
#pragma once

#include "hub/base/endpoint.hpp"
#include "hub/base/time.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {

struct request {
  std::string_view method;
  std::string_view path;   // as received, not decoded
  std::string_view query;  // as received, without '?'

  // The header fields that are used. Several lines of a list are joined by commas.
  std::string_view host;
  std::string_view content_type;
  std::string_view accept;
  std::string_view accept_encoding;
  std::string_view if_none_match;
  std::string_view authorization;
  std::string_view last_event_id;
  std::string_view forwarded;
  std::string_view forwarded_for;  // X-Forwarded-For
  std::string_view via;
  std::string_view origin;
  std::string_view upgrade;
  std::string_view websocket_key;      // Sec-WebSocket-Key
  std::string_view websocket_version;  // Sec-WebSocket-Version

  // Name of a field that may occur only once and occurred more often; empty: none.
  std::string_view repeated_field;

  std::string_view body;
  base::endpoint remote;  // remote address of the connection: a client or a proxy
  base::instant received{};
};

struct field {
  std::string_view name;  // a literal
  std::string value;
};

struct response {
  int status = 200;
  std::string_view content_type = "application/json";
  std::string_view cache_control = "no-store";
  std::vector<field> fields;  // without Content-Type and fields_of_every_answer
  std::string body;
  // What the answer costs its address besides its own request and its bytes, in requests.
  std::uint32_t extra_requests = 0;
  std::shared_ptr<const void> place = nullptr;  // of a replay, until its answer is sent
};

// Security fields of every response.
inline constexpr struct {
  std::string_view name, value;
} fields_of_every_answer[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
};

}  // namespace gamehub::gateways::http
