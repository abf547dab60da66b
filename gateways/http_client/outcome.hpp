// The outcome of a call: a response, or why it failed; and the limits of a response. Plain
// values, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace gamehub::gateways::http_client {

// Limits of one response: its header, its body, and all bytes, including chunk framing and interim
// responses (status 1xx).
struct response_limits {
  std::size_t header = 0, body = 0, total = 0;
};

struct response {
  int status = 0;
  bool encoded = false;  // compressed, although no encoding was accepted
  std::string body;
};

// Why there is no response.
enum class call_error : std::uint8_t {
  // The server can't be reached, or the time is up.
  unreachable,
  certificate,       // it is not trusted
  certificate_name,  // it is not for this host
  tls,
  broken,  // the connection failed
  timeout,
  // The response is invalid, or exceeds a limit.
  not_http,
  none,     // the connection ended without a response
  partial,  // the connection ended within the response
  length,   // the length of the body is ambiguous
  chunk,
  header_size,
  body_size,
  total_size,
};

// The detail completes a sentence: the address and the system's message, the cause of a refused
// certificate, or the time.
struct failure {
  call_error what = call_error::unreachable;
  std::string detail = {};
  bool connected = false;  // a connection was established
};
using outcome = std::variant<response, failure>;

}  // namespace gamehub::gateways::http_client
