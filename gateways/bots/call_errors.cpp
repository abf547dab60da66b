#include "gateways/bots/call_errors.hpp"

#include <cstddef>

namespace gamehub::gateways::bots {
namespace {

using http_client::call_error;

std::string kib(std::size_t bytes) { return std::to_string(bytes / 1024) + " KiB"; }

bot_error wrong_status(int status) {
  return {bot_error_code::transport,
          "You answered with the HTTP status " + std::to_string(status) + "."};
}

bot_error error_of_failure(const http_client::failure& none) {
  return {none.what == call_error::timeout ? bot_error_code::timeout : bot_error_code::transport,
          sentence_of(none)};
}

}  // namespace

std::string sentence_of(const http_client::failure& none) {
  switch (none.what) {
    case call_error::unreachable: return "You could not be reached at " + none.detail + ".";
    case call_error::certificate:
      return "Your TLS certificate is not trusted: " + none.detail + ".";
    case call_error::certificate_name:
      return "Your TLS certificate is not for \"" + none.detail + "\".";
    case call_error::tls: return "You could not be spoken to by TLS: " + none.detail + ".";
    case call_error::broken: return "The connection to you broke: " + none.detail + ".";
    case call_error::timeout:
      return (none.connected ? "You did not answer within "
                             : "You could not be connected to within ") +
             none.detail + ".";
    case call_error::not_http: break;
    case call_error::none: return "The connection ended without an answer.";
    case call_error::partial: return "The connection ended in the middle of your answer.";
    case call_error::length: return "It is not clear how long the body of your answer is.";
    case call_error::chunk: return "A chunk of your answer's body is broken.";
    case call_error::header_size:
      return "The header of your answer is over " + kib(answer_limits.header) + ".";
    case call_error::body_size:
      return "The body of your answer is over " + kib(answer_limits.body) + ".";
    case call_error::total_size:
      return "Your answer is over " + kib(answer_limits.total) + ", its framing included.";
  }
  return "Your answer is no HTTP/1.1.";
}

std::optional<bot_error> error_of(const call_outcome& what) {
  if (const auto* none = std::get_if<http_client::failure>(&what)) return error_of_failure(*none);
  const auto& got = std::get<http_client::response>(what);
  if (got.status < 200 || got.status > 299) return wrong_status(got.status);
  if (got.encoded)
    return bot_error{bot_error_code::unparsable,
                     "Your answer is compressed, although nothing was said to be accepted."};
  return std::nullopt;
}

std::optional<bot_error> error_of_ping(const call_outcome& what) {
  if (const auto* none = std::get_if<http_client::failure>(&what)) return error_of_failure(*none);
  const auto status = std::get<http_client::response>(what).status;
  return status == 200 ? std::nullopt : std::optional{wrong_status(status)};
}

}  // namespace gamehub::gateways::bots
