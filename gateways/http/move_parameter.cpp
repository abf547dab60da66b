#include "gateways/http/move_parameter.hpp"

#include "gateways/json.hpp"

namespace gamehub::gateways::http {

std::variant<gamehub::move, error> read_move(const parameters& given) {
  const auto position = given.integer("position");
  const auto action = given.text("action");
  if (position && !action.empty()) return bad_request("give position or action, not both");
  gamehub::move out;
  if (position) {
    out.cell = *position;
    out.text = given.text("position");
    return out;
  }
  if (action.empty()) return bad_request("position is missing");
  const bool document = action.front() == '{';
  if (document && !json::valid(action)) return bad_request("action is neither a word nor JSON");
  out.as = document ? gamehub::move::form::document : gamehub::move::form::word;
  out.text = action;
  return out;
}

}  // namespace gamehub::gateways::http
