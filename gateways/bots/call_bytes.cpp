#include "gateways/bots/call_bytes.hpp"

#include "hub/core/trace.hpp"

namespace gamehub::gateways::bots {

std::string call_bytes(const bot_url& to, const call_content& what) {
  std::string out = "POST " + to.target + " HTTP/1.1\r\nHost: " + to.field;
  out += "\r\nUser-Agent: gamehub\r\nContent-Type: application/json\r\nContent-Length: ";
  out += std::to_string(what.body.size());
  out += "\r\ntraceparent: " + traceparent(what.trace, what.span);
  out += what.keep_alive ? "\r\nConnection: keep-alive" : "\r\nConnection: close";
  out += "\r\n\r\n";
  out += what.body;
  return out;
}

}  // namespace gamehub::gateways::bots
