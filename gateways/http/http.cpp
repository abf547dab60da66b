#include "gateways/http/http.hpp"

#include "gateways/http/http_limits.hpp"

#include <optional>
#include <string>

namespace gamehub::gateways::http {
namespace {

std::optional<std::string> unsupported_reason(const engine_traits&) { return std::nullopt; }

}  // namespace

protocol_info describe() {
  protocol_info out;
  out.name = "http";
  out.summary = "requests and streams of HTTP (gateways/http/README.md)";
  out.port_default = 8'080;
  out.rank = 40;
  out.form = view_form::cells;
  out.own_timeouts = true;
  out.counts = wire_counters::requests;
  out.grace_default = limits::http_grace_default;
  out.grace_covers_turn = true;
  out.crossing = hub_crossing::requests;
  out.unsupported_reason = unsupported_reason;
  return out;
}

}  // namespace gamehub::gateways::http
