#include "gateways/bots/call_bytes.hpp"

#include "hub/base/digest.hpp"
#include "hub/base/text.hpp"
#include "hub/core/trace.hpp"

#include <chrono>

namespace gamehub::gateways::bots {

std::string signature_of(std::string_view secret, base::wall_time at, std::string_view body) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  const auto time = std::to_string(seconds);
  const auto digest = base::hmac_sha256(secret, time + '.' + std::string{body});
  return "t=" + time + ",v1=" + base::hex_of(std::string{digest.begin(), digest.end()});
}

std::string call_bytes(const bot_url& to, const call_content& what) {
  std::string out = "POST " + to.target + " HTTP/1.1\r\nHost: " + to.field;
  out += "\r\nUser-Agent: gamehub\r\nContent-Type: application/json\r\nContent-Length: ";
  out += std::to_string(what.body.size());
  out += "\r\ntraceparent: " + traceparent(what.trace, what.span);
  if (!what.signature.empty()) out += "\r\nGamehub-Signature: " + what.signature;
  out += what.keep_alive ? "\r\nConnection: keep-alive" : "\r\nConnection: close";
  out += "\r\n\r\n";
  out += what.body;
  return out;
}

}  // namespace gamehub::gateways::bots
