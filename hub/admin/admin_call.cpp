#include "hub/admin/admin_call.hpp"

#include "gateways/http_client/blocking_call.hpp"
#include "hub/base/host_name.hpp"

#include <variant>

namespace gamehub::admin {
namespace {

namespace http_client = gateways::http_client;
using http_client::call_error;

// The metrics of a hub are some hundred kilobytes.
constexpr http_client::response_limits answer_limits{
    .header = 64 * 1024, .body = 16 * 1024 * 1024, .total = 32 * 1024 * 1024};

std::string reason_of(const http_client::failure& none) {
  switch (none.what) {
    case call_error::unreachable:
    case call_error::broken: return none.detail;
    case call_error::timeout: return "no answer in time";
    default: return "what answers is no admin server";
  }
}

}  // namespace

std::string host_of(const std::string& listening) {
  if (listening == "0.0.0.0") return "127.0.0.1";
  if (listening == "::") return "::1";
  return listening;
}

admin_answer call_admin(const std::string& host, std::uint16_t port, const std::string& method,
                        const std::string& target, std::chrono::milliseconds time,
                        const std::string& token, const std::string& body) {
  auto request = method + " " + target + " HTTP/1.1\r\nHost: " + base::host_field(host, port) +
                 "\r\nConnection: close\r\n";
  if (!token.empty()) request += "Authorization: Bearer " + token + "\r\n";
  if (!body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  request += "\r\n" + body;
  auto answer = http_client::call_and_wait(host, port, std::move(request), answer_limits, time);
  if (const auto* none = std::get_if<http_client::failure>(&answer))
    throw no_answer{"no hub answers on " + host + " port " + std::to_string(port) + " (" +
                    reason_of(*none) +
                    "): start it, or say where its admin server is with --admin-port and "
                    "--admin-listen"};
  auto& got = std::get<http_client::response>(answer);
  return {got.status, std::move(got.body)};
}

std::string without_line_end(std::string body) {
  body.erase(body.find_last_not_of('\n') + 1);
  return body;
}

}  // namespace gamehub::admin
