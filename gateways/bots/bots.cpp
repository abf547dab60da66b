#include "gateways/bots/bots.hpp"

#include <optional>
#include <string>

namespace gamehub::gateways::bots {
namespace {

std::optional<std::string> unsupported_reason(const engine_traits& engine) {
  // A bot takes the seat of an opponent.
  if (engine.players_max < 2) return "is for one player, and a bot plays with others";
  return std::nullopt;
}

}  // namespace

bool has_board_calls(const engine_traits& engine) {
  return engine.players == 2 && engine.has_cells() && engine.perfect_information;
}

protocol_info describe() {
  protocol_info out;
  out.name = "jsonrpc";
  out.summary = "bots that the hub calls (gateways/bots/README.md)";
  out.port_owner = "http";
  out.rank = 60;
  out.form = view_form::cells;
  out.documents_without_cells = true;
  out.has_opponent_setting = false;
  out.grace_default = std::nullopt;
  out.own_timeouts = true;
  out.unsupported_reason = unsupported_reason;
  return out;
}

}  // namespace gamehub::gateways::bots
