#include "gateways/bots/bots.hpp"

#include <optional>
#include <string>

namespace gamehub::gateways::bots {
namespace {

std::optional<std::string> unsupported_reason(const engine_traits& engine) {
  // A call of such a game has the bot's own view, cells or a document (README.md).
  if (engine.players > 2) return std::nullopt;
  if (!engine.has_cells()) return "has no board of cells";
  if (engine.players != 2) return "is for one player";
  if (!engine.perfect_information) return "shows a board that is not the whole game";
  return std::nullopt;
}

}  // namespace

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
